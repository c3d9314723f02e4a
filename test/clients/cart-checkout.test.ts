import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writePackage } from '../../infra/package/build/write-package.ts';

/** An empty project of a merchant, with the package from its packed file. */
const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-installed-'));
const env = {
  PATH: process.env['PATH'],
  HOME: join(folder, 'home'),
  NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
};
const run = (file: string, ...args: readonly string[]): string =>
  execFileSync(file, args, { cwd: folder, env, encoding: 'utf8' });

beforeAll(async () => {
  const built = mkdtempSync(join(tmpdir(), 'cart-checkout-built-'));
  await writePackage(built);
  mkdirSync(env.HOME);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built });
  run('npm', 'install', '--no-audit', '--no-fund', './cart-checkout-1.0.0.tgz');
});

test('the package is not published by accident', () => {
  const manifest = readFileSync(join(folder, 'node_modules/cart-checkout/package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ private: true, license: 'UNLICENSED' });
});

test('the package has no picture, because no page of it shows one', () => {
  const names = readdirSync(join(folder, 'node_modules/cart-checkout'), {
    recursive: true,
    encoding: 'utf8',
  });
  expect(names).toContain('docs/openapi.json');
  expect(names.filter((name) => /\.(?:png|webp)$/.test(name))).toStrictEqual([]);
});

test('help has the command line as the user types it', () => {
  expect(run('npx', 'cart-checkout', '--help')).toContain('npx cart-checkout listen --forward-to');
  expect(run('npx', 'cart-checkout', 'operate', 'keys', 'issue', '--help')).toContain(
    '  npx cart-checkout operate keys issue',
  );
});

test('the Tab key completes the installed command in bash', () => {
  const script = run('npx', 'cart-checkout', 'completion', 'bash');
  const line = 'cart-checkout operate keys is';
  const program = `${script}
    export COMP_LINE='${line}' COMP_POINT=${line.length}
    eval "$(complete -p cart-checkout | sed "s/.* -C '\\(.*\\)' cart-checkout/\\1/") cart-checkout is keys"`;
  expect(run('bash', '-c', program)).toBe('issue\n');
});

/** The program of the package. */
const PROGRAM = 'node_modules/cart-checkout/infra/bundle/bin.js';

const FLAGS = ['start', '--json', '--data', 'memory', '--port', '0'];

/** Starts a stage by this program of Node.js. Returns its process and the first line of its output. */
const startBy = async (program: string) => {
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  parent.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  while (!output.includes('\n')) await once(parent.stdout, 'data');
  const ready = JSON.parse(output) as { baseUrl: string; stores: { apiKey: string }[] };
  return { parent, ready, output: () => output };
};

/** Kills the program that started a stage, and waits for the end of the stage, which has the other end of the pipe. */
const killParent = async ({ parent, ready }: Awaited<ReturnType<typeof startBy>>): Promise<void> => {
  parent.kill('SIGKILL');
  await once(parent.stdout, 'close');
  await expect(fetch(ready.baseUrl)).rejects.toThrow('fetch failed');
};

test('on Node.js 22, a stage ends when the program that started it without a pipe is killed', async () => {
  run('npm', 'install', '--no-audit', '--no-fund', '--no-save', `node-linux-${process.arch}@22`);
  const node = join(folder, `node_modules/node-linux-${process.arch}/bin/node`);
  expect(run(node, '--version')).toMatch(/^v22\./);
  const args = JSON.stringify([PROGRAM, ...FLAGS]);
  const program = `import { spawn } from 'node:child_process';
    spawn('${node}', ${args}, { stdio: ['ignore', 'inherit', 'ignore'] });`;
  await killParent(await startBy(program));
});

test('a stage serves its pages, prints one line, and ends when the program that started it is killed', async () => {
  const program = `import { spawn } from 'node:child_process';
    spawn('npx', ${JSON.stringify(['cart-checkout', ...FLAGS])}, { stdio: ['pipe', 'inherit', 'ignore'] });`;
  const stage = await startBy(program);
  const { baseUrl, stores } = stage.ready;
  expect(stores[0]?.apiKey).toMatch(/^cck_test_/);
  for (const path of [
    '/',
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/browser/live.js',
    '/openapi.json',
    '/guide/test-in-ci.md',
    '/errors',
    '/llms.txt',
  ]) {
    expect([path, (await fetch(baseUrl + path)).status]).toStrictEqual([path, 200]);
  }
  await killParent(stage);
  expect(stage.output()).toMatch(/^[^\n]+\n$/);
});

test('the test of the guide passes in that project, by the steps of its workflow', () => {
  const page = readFileSync('docs/test-in-ci.md', 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const steps = [...page.matchAll(/^ +- run: (.*)$/gm)].map(([, step = '']) => step);
  expect(steps).toStrictEqual(['npm ci', 'node --test']);
  writeFileSync(join(folder, 'checkout.test.mjs'), program);
  for (const step of steps) expect(() => run('bash', '-ec', step)).not.toThrow();
  expect(existsSync(join(folder, 'node_modules/cart-checkout'))).toBe(true);
});
