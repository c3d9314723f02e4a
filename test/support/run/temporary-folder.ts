import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled modules of all runs, which Node.js finds by their content. A process then starts in half the CPU. */
const COMPILE_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/**
 * Keeps all temporary files of a run in one folder, named by `TMPDIR`. The folder is removed at the end, also after a
 * failure. The processes of all runs share compiled modules, until `npm ci` removes them. Call this first in a global setup.
 */
export const useTemporaryFolder = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-test-'));
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] = COMPILE_CACHE;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
