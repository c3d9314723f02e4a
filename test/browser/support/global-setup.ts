import { createLogFolder, endLogFolder } from '../../support/logs/log-files.ts';
import { shareCompiledModules } from '../../support/run/compile-cache.ts';
import { useTemporaryFolder } from '../../support/run/temporary-folder.ts';
import { findChromium } from './chromium.ts';

/** Exits with one sentence if there is no browser: Vitest would add a stack and a report of no tests. */
const assertChromium = (): void => {
  try {
    findChromium();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
};

/** Looks for a browser before the run, and for secrets in the stages' logs after it. */
export default (): (() => void) => {
  assertChromium();
  useTemporaryFolder();
  shareCompiledModules();
  createLogFolder();
  return endLogFolder;
};
