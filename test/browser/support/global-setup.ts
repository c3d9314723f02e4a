import { createLogFolder, endLogFolder } from '../../support/log-files.ts';
import { findChromium } from './chromium.ts';

/** Vitest would wrap the one sentence that matters in a stack and the news that there are no tests. */
const assertChromium = (): void => {
  try {
    findChromium();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
};

/** Before the run, looks for a browser; afterwards, searches everything that the stages logged. */
export default (): (() => void) => {
  assertChromium();
  createLogFolder();
  return endLogFolder;
};
