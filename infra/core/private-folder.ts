import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './system-errors.ts';

/**
 * Creates a private folder with its parents. Node.js itself never returns if a parent takes no folders, such as `/proc`:
 * https://github.com/nodejs/node/issues/27198
 *
 * @throws the system's error
 */
export const makePrivateFolder = (folder: string): void => {
  const make = () => mkdirSync(folder, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (hasCode(error, 'EEXIST') && statSync(folder).isDirectory()) return;
    if (!hasCode(error, 'ENOENT') || dirname(folder) === folder) throw error;
    makePrivateFolder(dirname(folder));
    make();
  }
};
