import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps all temporary files of a run in one folder, which is removed when the run ends, also after a failure. The run's
 * processes, and tools such as the CDK, find it in `TMPDIR`, and share compiled modules in it. Call it first in a global
 * setup.
 */
export const useTemporaryFolder = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-test-'));
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compile-cache');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
