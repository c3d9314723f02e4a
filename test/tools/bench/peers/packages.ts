import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { OperatorError } from '../../../../infra/operator-error.ts';

/** The folder of the peers: packages of their own, which `npm ci` of the project does not install. */
const FOLDER = import.meta.dirname;

export const INSTALL = 'npm ci --prefix test/tools/bench/peers --ignore-scripts --no-audit --no-fund';

const requireHere = createRequire(join(FOLDER, 'package.json'));

/** Loads a package of the folder. The project has no types of it, since the package is not installed with the project. */
export const loadPackage = requireHere as (name: string) => unknown;

/** The path of a file of an installed package. */
export const packageFile = (path: string): string => join(FOLDER, 'node_modules', path);

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly optional?: true }>>;
}

const readLock = (file: string): Lock => JSON.parse(readFileSync(file, 'utf8')) as Lock;

/**
 * Requires the packages of the peers' lock file.
 *
 * @throws OperatorError with the command that installs them, if one is missing
 */
export const requireInstalled = (nodeModules = join(FOLDER, 'node_modules')): void => {
  // npm's own record of what it installed.
  const record = join(nodeModules, '.package-lock.json');
  const installed = existsSync(record) ? readLock(record).packages : {};
  const isMissing = Object.entries(readLock(join(FOLDER, 'package-lock.json')).packages).some(
    ([path, { integrity, optional }]) => path !== '' && !optional && installed[path]?.integrity !== integrity,
  );
  if (isMissing) {
    throw new OperatorError(
      `The peers are not installed. Run "${INSTALL}": it takes about 5 minutes and 1 GB, and runs no script of a package.`,
    );
  }
};
