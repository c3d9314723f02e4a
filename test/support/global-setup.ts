import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { endSeenResponses } from './contract-coverage.ts';
import { createLogFolder, endLogFolder } from './log-files.ts';
import { createSeenResponsesFolder } from './seen-responses.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the embedded DynamoDB that all test files share. */
    dynamodbEndpoint: string;
  }
}

/**
 * One embedded DynamoDB for the whole run; afterwards, a search of everything that was logged, and of the contract for
 * what no test has produced.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
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
