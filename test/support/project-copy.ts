import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A copy of the program with its own `.local` folder, apart from a developer's stage. */
export interface ProjectCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

export const copyProject = async (): Promise<ProjectCopy> => {
  const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-'));
  for (const name of ['functions', 'infra', 'lib', 'package.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};
