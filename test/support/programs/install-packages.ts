import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/**
 * Installs the packages of a folder with a lock file of its own, which `npm ci` of the project leaves out, unless they are
 * there already.
 */
export const installPackages = async (folder: string): Promise<void> => {
  const lockFile = join(folder, 'package-lock.json');
  // A copy of the lock file of the installed packages.
  const installed = join(folder, 'node_modules/.installed.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lockFile, 'utf8')) return;
  process.stdout.write(`Installing the packages of ${folder}, once.\n`);
  await runProgram('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  copyFileSync(lockFile, installed);
};
