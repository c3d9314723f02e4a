import type { TestProject } from 'vitest/node';
import { createLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { provideDatabase } from '../../support/run/run-database.ts';

/** Provides one database for all tests. Logs are not searched for secrets: a mutant may log anything. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  createLogFolder();
  const closeDatabase = await provideDatabase(project);
  return async () => {
    await closeDatabase();
    removeLogFolder();
  };
};
