import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { createLogFolder, removeLogFolder } from '../../support/log-files.ts';

/** Like the set-up of all tests, but the logs are not searched afterwards: a mutant may log anything. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  createLogFolder();
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  project.provide('dynamodbEndpoint', database.endpoint);
  return async () => {
    await database.close();
    removeLogFolder();
  };
};
