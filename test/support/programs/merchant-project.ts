import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Client from 'cart-checkout-client';
import { hasCode } from '../../../infra/core/system-errors.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Names the folder of a project whose clients are all installed packages. `npm run test:clients` sets it. */
const VARIABLE = 'MERCHANT_PROJECT';

/** A project of a merchant: the sample programs, and the clients that they import. */
export interface MerchantProject {
  /** Its folders `node`, `python` and `php` have the programs. */
  readonly folder: string;
  readonly python: string;
  /** The file that a PHP program requires. */
  readonly autoload: string;
  /** Imports the client for Node.js from its package. */
  readonly importClient: () => Promise<typeof Client>;
}

const run = (folder: string, file: string, args: readonly string[]): string =>
  execFileSync(file, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });

/** Copies the sample programs. */
const createProject = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-'));
  cpSync(join(ROOT, 'docs/examples'), folder, {
    recursive: true,
    // A developer may have installed packages there.
    filter: (path) => !/(?:^|\/)(?:vendor|inbox|orders|__pycache__|composer\.\w+)$/.test(path),
  });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  return folder;
};

/** Lets the programs for PHP use the client of the repository instead of a package. */
const useRepositoryForPhp = (folder: string): void => {
  const source = join(ROOT, 'clients/php/src/CartCheckout.php');
  mkdirSync(join(folder, 'php/vendor'));
  writeFileSync(join(folder, 'php/vendor/autoload.php'), `<?php require_once '${source}';\n`);
};

const describeProject = (folder: string): MerchantProject => ({
  folder,
  python: join(folder, 'environment/bin/python'),
  autoload: join(folder, 'php/vendor/autoload.php'),
  importClient: () => {
    const path = join(folder, 'node_modules/cart-checkout-client/cart-checkout.mjs');
    return import(pathToFileURL(path).href) as Promise<typeof Client>;
  },
});

const composerFile = (name: string): string => {
  const path = { type: 'path', url: join(ROOT, 'clients/php'), options: { symlink: false } };
  return JSON.stringify({
    repositories: [path, { 'packagist.org': false }],
    require: { [name]: '^1.0' },
  });
};

/**
 * Makes a project with the packages of all clients. Needs Python 3.10 or later with pip and a network, and Composer for PHP.
 *
 * @returns its folder
 */
export const createInstalledProject = (): string => {
  const packages = mkdtempSync(join(tmpdir(), 'packages-'));
  run(ROOT, process.execPath, ['infra/package/build/main.ts', packages]);
  const archiveOf = (pattern: RegExp): string =>
    join(
      packages,
      readdirSync(packages).find((name) => pattern.test(name))!,
    );
  const folder = createProject();
  const archive = archiveOf(/-client-.*\.tgz$/);
  run(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-save', archive]);
  run(folder, 'python3', ['-m', 'venv', 'environment']);
  run(folder, 'environment/bin/python', ['-m', 'pip', 'install', '--quiet', archiveOf(/\.whl$/)]);
  writeFileSync(join(folder, 'php/composer.json'), composerFile('cart-checkout/client'));
  try {
    run(join(folder, 'php'), 'composer', ['install', '--quiet', '--no-interaction']);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.warn('THE PACKAGE FOR PHP IS NOT TESTED: this machine has no composer');
    useRepositoryForPhp(folder);
  }
  process.env[VARIABLE] = folder;
  return folder;
};

/**
 * Makes a project with the package of the client for Node.js alone. It is unpacked: `npm install` takes three times as long.
 * `npm run test:clients` installs it.
 */
const createOfflineProject = (): string => {
  const folder = createProject();
  const installed = join(folder, 'node_modules/cart-checkout-client');
  mkdirSync(installed, { recursive: true });
  const name = run(join(ROOT, 'clients/node'), 'npm', ['pack', '--silent', '--pack-destination', folder]);
  run(folder, 'tar', ['-xzf', name.trim(), '--strip-components=1', '-C', installed]);
  return folder;
};

/** The folder of the project of this run. The workers share it in the temporary folder, which belongs to the run. */
const shareOfflineProject = (): string => {
  const shared = join(tmpdir(), 'merchant-project');
  if (existsSync(shared)) return shared;
  const folder = createOfflineProject();
  try {
    renameSync(folder, shared);
  } catch (error) {
    // Another worker was first.
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  }
  return shared;
};

/** The project of this run. */
export const givenMerchantProject = (): MerchantProject =>
  describeProject(process.env[VARIABLE] ?? shareOfflineProject());

/** Whether the project of this run has the clients of every language. Otherwise, it has the one for Node.js. */
export const hasEveryLanguage = (): boolean => process.env[VARIABLE] !== undefined;
