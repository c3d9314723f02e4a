import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { cartBody } from '../../../support/domain/cart-body.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import { type Ended, run, stopProcesses } from '../../../support/programs/processes.ts';
import { givenStage } from '../../../support/programs/stage-process.ts';
import { cartIdOf } from '../../../support/service/http-client.ts';

// Guarantees that only a process of its own can prove. All others run in the process of the tests.
const MAIN = 'infra/operate/main.ts';

afterAll(stopProcesses);

const onDatabase = (...args: readonly string[]): string[] => [
  ...args,
  '--dynamodb',
  inject('dynamodbEndpoint'),
];

/** Runs a command whose standard output rejects every write, as on a full disk. */
const onFullDisk = async (...args: readonly string[]): Promise<Omit<Ended, 'stdout'>> => {
  // Every write to a file that is open for reading fails, on every system.
  const output = openSync(MAIN, 'r');
  const child = spawn(process.execPath, [MAIN, ...onDatabase(...args)], {
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stderr };
};

/** Runs a command whose reader has gone. */
const withoutReader = async (...args: readonly string[]): Promise<Omit<Ended, 'stdout'>> => {
  const { child, ended } = run(MAIN, onDatabase(...args));
  child.stdout?.destroy();
  const { exitCode, stderr } = await ended;
  return { exitCode, stderr };
};

/** Names each module that a process loads, on its standard error. */
const TRACE = `import{registerHooks}from'node:module';registerHooks({resolve(name,context,next){const found=next(name,context);console.error(found.url);return found}})`;

test('help loads neither the SDK nor the functions of commands', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TRACE)}`;
  const { exitCode, stderr } = await run(MAIN, ['restore', 'items', '--help'], { NODE_OPTIONS }).ended;
  expect(exitCode).toBe(0);
  const loaded = [...new Set(stderr.trim().split('\n'))];
  const modules = (pattern: RegExp) => loaded.filter((url) => pattern.test(url));
  expect(modules(/\/infra\/operate\/keys\/commands\.ts$/)).toHaveLength(1);
  expect(modules(/\/node_modules\/(?!commander\/)/)).toStrictEqual([]);
  const files = readdirSync('infra/operate', { recursive: true, encoding: 'utf8' });
  const functions = files.filter(
    (file) =>
      file.endsWith('.ts') && /: Action<typeof/.test(readFileSync(join('infra/operate', file), 'utf8')),
  );
  expect(functions.length).toBeGreaterThan(10);
  expect(
    functions.filter((file) => loaded.some((url) => url.endsWith(`/infra/operate/${file}`))),
  ).toStrictEqual([]);
});

test('a result whose reader, such as `head`, has gone ends the command quietly', async () => {
  expect(await withoutReader('products', 'list')).toStrictEqual({ exitCode: 0, stderr: '' });
});

test('a new key on a full disk is reported by its id, with exit code 1', async () => {
  const store = randomUUID();
  await operate(onDatabase('stores', 'put', store, '--name', 'Full disk'));
  const { exitCode, stderr } = await onFullDisk('keys', 'issue', '--store', store);
  expect(exitCode).toBe(1);
  const [, keyId] =
    /^The key ([0-9a-f]{64}) was issued but could not be shown: revoke it\.\n$/.exec(stderr) ?? [];
  const { stdout } = await operate(onDatabase('keys', 'list', '--store', store, '--json'));
  expect(JSON.parse(stdout)).toMatchObject({ keys: [{ keyId }] });
});

test('on the default data, commands find the only stage, and a killed one leaves its data', async () => {
  // A copy of the program, because a developer's own stage may run in this folder.
  const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-copy-'));
  await cp('infra', join(folder, 'infra'), { recursive: true });
  for (const name of ['docs', 'functions', 'lib', 'node_modules', 'package.json']) {
    await symlink(resolve(name), join(folder, name));
  }
  const issueKey = () =>
    run(join(folder, MAIN), ['keys', 'issue', '--store', 'demo-store-one', '--json']).ended;

  const program = join(folder, 'infra/local/main.ts');

  const killed = await givenStage([], program);
  const { exitCode, stdout, stderr } = await issueKey();
  expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
  const { apiKey } = JSON.parse(stdout) as { apiKey: string };
  const created = await killed.createCart(cartBody(killed.productId), { apiKey });
  expect(created.status).toBe(201);

  // A killed stage leaves its file, and nothing else.
  killed.child.kill('SIGKILL');
  await killed.ended;
  expectFailure(await issueKey(), 1, /No local stage .*npm start.*--dynamodb/);

  const stage = await givenStage([], program);
  expect((await stage.getCart(cartIdOf(created), { apiKey })).status).toBe(200);
  const stageFile = join(folder, '.local/dynamodb.sqlite.stage.json');
  for (const [path, mode] of [
    ['.local', 0o700],
    ['.local/dynamodb.sqlite.stage.json', 0o600],
    ['.local/dynamodb.sqlite', 0o600],
  ] as const) {
    expect([path, statSync(join(folder, path)).mode & 0o777]).toStrictEqual([path, mode]);
  }
  await stage.stop();
  expect(existsSync(stageFile)).toBe(false);
});
