import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { createLogFolder, removeLogFolder } from '../support/log-files.ts';
import { createSeenAnswersFolder } from '../support/seen-answers.ts';

/** As for all tests, but without a search of the logs and answers afterwards, in which a mutant may have left anything. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  createLogFolder();
  createSeenAnswersFolder();
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  project.provide('dynamodbEndpoint', database.endpoint);
  return async () => {
    await database.close();
    removeLogFolder();
  };
};
