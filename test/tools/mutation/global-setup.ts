import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { createLogFolder, removeLogFolder } from '../../support/log-files.ts';

/** Starts one database for all tests. Logs are not searched for secrets: a mutant may log anything. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  createLogFolder();
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  project.provide('dynamodbEndpoint', database.endpoint);
  return async () => {
    await database.close();
    removeLogFolder();
  };
};
