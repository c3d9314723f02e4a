// oxlint-disable-next-line no-unassigned-import -- it lengthens the limits of this process too
import '../../support/run/long-limits.ts';
import type { TestProject } from 'vitest/node';
import { createSeenResponsesFolder } from '../../support/contract/seen-responses.ts';
import { createLogFolder, endLogFolder } from '../../support/logs/log-files.ts';
import { installPackages } from '../../support/programs/install-packages.ts';
import { createInstalledProject } from '../../support/programs/merchant-project.ts';
import { shareCompiledModules } from '../../support/run/compile-cache.ts';
import { provideDatabase } from '../../support/run/run-database.ts';
import { useTemporaryFolder } from '../../support/run/temporary-folder.ts';
import { FOLDER } from './packages.ts';

/** Builds and installs the packages of the clients. Looks for secrets in the stages' logs after the run. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  useTemporaryFolder();
  shareCompiledModules();
  createLogFolder();
  createSeenResponsesFolder();
  await installPackages(FOLDER);
  createInstalledProject();
  const closeDatabase = await provideDatabase(project);
  return async () => {
    await closeDatabase();
    endLogFolder();
  };
};
