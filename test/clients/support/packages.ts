import { join } from 'node:path';
import { runProgram, type RunOptions } from '../../support/programs/run-program.ts';

/** The folder of the generators: packages of their own, which `npm ci` of the project does not install. */
export const FOLDER = join(import.meta.dirname, '..');

/** Runs a program to its end, in the folder of the generators unless `cwd` is another one. */
export const runInFolder = (
  file: string,
  args: readonly string[],
  { cwd = FOLDER, env = {} }: Pick<RunOptions, 'cwd' | 'env'> = {},
): Promise<string> => runProgram(file, args, { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });

/** Runs the command line of an installed package, on the Node.js of this process. */
export const runPackage = (
  name: string,
  args: readonly string[],
  options?: Parameters<typeof runInFolder>[2],
): Promise<string> =>
  runInFolder(process.execPath, [join(FOLDER, 'node_modules/.bin', name), ...args], options);
