import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder that is removed when this process exits, however its benchmark ended. */
export const makeTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
