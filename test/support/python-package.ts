import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOCAL_FOLDER = join(import.meta.dirname, '../../.local');

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
    await promisify(execFile)('python3', args);
    return folder;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const problem =
      code === 'ENOENT'
        ? `${name} needs Python 3 with pip, and this machine has no python3.`
        : `${name} could not be installed with python3 -m pip: ${stderr ?? String(error)}`;
    throw new Error(problem, { cause: error });
  }
};
