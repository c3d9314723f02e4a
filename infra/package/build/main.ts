import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ROOT } from '../../core/project.ts';
import { outputFolder } from './output-folder.ts';
import { writePackage } from './write-package.ts';

const [given] = process.argv.slice(2);
const folder = outputFolder(given);
if (folder === undefined) {
  process.stderr.write(`${given} has other files than packages: name a new or empty folder.\n`);
  process.exit(1);
}

/** The files of the package `cart-checkout`. */
const built = mkdtempSync(join(tmpdir(), 'cart-checkout-package-'));

const { version } = JSON.parse(readFileSync(join(ROOT, 'clients/node/package.json'), 'utf8')) as {
  version: string;
};

interface Step {
  readonly folder: string;
  readonly file: string;
  readonly args: readonly string[];
}

const PHP_FILES = ['composer.json', 'src', 'README.md', 'CHANGELOG.md', 'LICENSE'];

/** The commands that write the packages. */
const STEPS: readonly Step[] = [
  { folder: built, file: 'npm', args: ['pack', '--silent', '--pack-destination', folder] },
  { folder: 'clients/node', file: 'npm', args: ['pack', '--silent', '--pack-destination', folder] },
  {
    folder: 'clients/python',
    file: 'python3',
    args: ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, '.'],
  },
  {
    // An artifact of Composer, made by Python, which the step before needs too.
    folder: 'clients/php',
    file: 'python3',
    args: ['-m', 'zipfile', '-c', join(folder, `cart-checkout-client-php-${version}.zip`), ...PHP_FILES],
  },
];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await writePackage(built);
for (const { folder: cwd, file, args } of STEPS) {
  const { status } = spawnSync(file, args, {
    cwd: resolve(ROOT, cwd),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) continue;
  process.stderr.write(
    `${file} ${args.join(' ')} failed in ${cwd}. It needs Python 3.10 or later, with pip.\n`,
  );
  process.exit(1);
}
rmSync(built, { recursive: true });
for (const name of readdirSync(folder)) {
  process.stdout.write(`${join(folder, name)}  ${Math.ceil(statSync(join(folder, name)).size / 1024)} KB\n`);
}
