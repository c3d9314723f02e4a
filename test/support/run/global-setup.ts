// oxlint-disable-next-line no-unassigned-import -- it lengthens the limits of this process too
import './long-limits.ts';
import type { TestProject } from 'vitest/node';
import { endSeenResponses } from '../contract/contract-coverage.ts';
import { createSeenResponsesFolder } from '../contract/seen-responses.ts';
import { createLogFolder, endLogFolder } from '../logs/log-files.ts';
import { provideDatabase } from './run-database.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

/**
 * Provides one DynamoDB for the whole run. Afterwards, fails the run if a log line contains a secret or if no
 * test has produced a documented response.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  useTemporaryFolder();
  createLogFolder();
  createSeenResponsesFolder();
  const closeDatabase = await provideDatabase(project);
  return async () => {
    await closeDatabase();
    endLogFolder();
    await endSeenResponses(project);
  };
};
