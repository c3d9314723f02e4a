import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../../core/project.ts';

const DEFAULT_FOLDER = join(ROOT, 'dist');

/** The name of a package of an earlier run. */
const PACKAGE = /^cart[-_]checkout.*\.(?:tgz|whl|zip)$/;

/** The folder of the packages, which a run replaces. Undefined if it would delete other files. */
export const outputFolder = (given: string | undefined): string | undefined => {
  const folder = resolve(given ?? DEFAULT_FOLDER);
  if (folder === DEFAULT_FOLDER || !existsSync(folder)) return folder;
  const isReplaceable =
    statSync(folder).isDirectory() && readdirSync(folder).every((name) => PACKAGE.test(name));
  return isReplaceable ? folder : undefined;
};
