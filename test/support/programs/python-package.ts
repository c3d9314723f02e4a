import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../../infra/core/system-errors.ts';
import { runProgram } from './run-program.ts';

const LOCAL_FOLDER = join(import.meta.dirname, '../../../.local');

/**
 * Installs a package of PyPI into this project's `.local` folder, unless it is there already.
 *
 * @returns the folder, for PYTHONPATH
 * @throws Error with pip's output if there is no Python with pip, or no such package
 */
export const installPythonPackage = async (name: string, version: string): Promise<string> => {
  const folder = join(LOCAL_FOLDER, `${name}-${version}`);
  if (existsSync(join(folder, name.replaceAll('-', '_')))) return folder;
  const args = ['-m', 'pip', 'install', '--quiet', '--target', folder, `${name}==${version}`];
  try {
    await runProgram('python3', args);
    return folder;
  } catch (error) {
    const problem = hasCode(error, 'ENOENT')
      ? `${name} needs Python 3 with pip, and this machine has no python3.`
      : `${name} could not be installed: ${(error as Error).message}`;
    throw new Error(problem, { cause: error });
  }
};
