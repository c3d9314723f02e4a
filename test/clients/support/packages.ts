import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, type RunOptions } from '../../support/programs/run-program.ts';

/** The folder of the generators: packages of their own, which `npm ci` of the project does not install. */
export const FOLDER = join(import.meta.dirname, '..');

const LOCK_FILE = join(FOLDER, 'package-lock.json');

/** A copy of the lock file of the installed packages. */
const INSTALLED = join(FOLDER, 'node_modules/.installed.json');

/** Runs a program to its end, in the folder of the generators unless `cwd` is another one. */
export const runInFolder = (
  file: string,
  args: readonly string[],
  { cwd = FOLDER, env = {} }: Pick<RunOptions, 'cwd' | 'env'> = {},
): Promise<string> => runProgram(file, args, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });

/** Installs the packages of the folder, unless those of its lock file are there already. */
export const installPackages = async (): Promise<void> => {
  const isInstalled =
    existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(LOCK_FILE, 'utf8');
  if (isInstalled) return;
  process.stdout.write('Installing the generators of test/clients takes some two minutes, once.\n');
  await runInFolder('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  copyFileSync(LOCK_FILE, INSTALLED);
};

/** Runs the command line of an installed package, on the Node.js of this process. */
export const runPackage = (
  name: string,
  args: readonly string[],
  options?: Parameters<typeof runInFolder>[2],
): Promise<string> =>
  runInFolder(process.execPath, [join(FOLDER, 'node_modules/.bin', name), ...args], options);
