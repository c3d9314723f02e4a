import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const [folder = join(ROOT, 'dist')] = process.argv.slice(2);

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
for (const { folder: cwd, file, args } of STEPS) {
  const { status } = spawnSync(file, args, { cwd: join(ROOT, cwd), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) continue;
  process.stderr.write(
    `${file} ${args.join(' ')} failed in ${cwd}. It needs Python 3.10 or later, with pip.\n`,
  );
  process.exit(1);
}
for (const name of readdirSync(folder)) {
  process.stdout.write(`${join(folder, name)}  ${Math.ceil(statSync(join(folder, name)).size / 1024)} KB\n`);
}
