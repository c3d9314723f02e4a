import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { endSeenResponses } from './contract-coverage.ts';
import { createLogFolder, endLogFolder } from './log-files.ts';
import { createSeenResponsesFolder } from './seen-responses.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the embedded DynamoDB that all test files share. */
    dynamodbEndpoint: string;
  }
}

/**
 * Starts one embedded DynamoDB for the whole run. Afterwards, fails the run if a log line contains a secret or if no
 * test has produced a documented response.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  useTemporaryFolder();
  createLogFolder();
  createSeenResponsesFolder();
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  project.provide('dynamodbEndpoint', database.endpoint);
  return async () => {
    await database.close();
    endLogFolder();
    await endSeenResponses(project);
  };
};
