import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps all temporary files of a run in one folder, named by `TMPDIR`. The folder is removed at the end, also after a
 * failure. Call this first in a global setup.
 */
export const useTemporaryFolder = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-test-'));
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
