import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder of the generators: packages of their own, which `npm ci` of the project does not install. */
export const FOLDER = join(import.meta.dirname, '..');

const LOCK_FILE = join(FOLDER, 'package-lock.json');

/** A copy of the lock file of the installed packages. */
const INSTALLED = join(FOLDER, 'node_modules/.installed.json');

const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024;

/**
 * Runs a program to its end, in the folder of the generators unless `cwd` is another one.
 *
 * @returns its standard output
 * @throws Error with all its output if it fails
 */
export const runProgram = async (
  file: string,
  args: readonly string[],
  { cwd = FOLDER, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> => {
  const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: MAX_OUTPUT_BYTES };
  try {
    return (await promisify(execFile)(file, [...args], options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${file} ${args.join(' ')} failed: ${String(error)}\n${stdout}\n${stderr}`, {
      cause: error,
    });
  }
};

/** Installs the packages of the folder, unless those of its lock file are there already. */
export const installPackages = async (): Promise<void> => {
  const isInstalled =
    existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(LOCK_FILE, 'utf8');
  if (isInstalled) return;
  process.stdout.write('Installing the generators of test/clients takes some two minutes, once.\n');
  await runProgram('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  copyFileSync(LOCK_FILE, INSTALLED);
};

/** Runs the command line of an installed package, on the Node.js of this process. */
export const runPackage = (
  name: string,
  args: readonly string[],
  options?: Parameters<typeof runProgram>[2],
): Promise<string> =>
  runProgram(process.execPath, [join(FOLDER, 'node_modules/.bin', name), ...args], options);
