import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { localStageProgram } from '../../../infra/local/program.ts';
import { execute } from '../../../infra/terminal/command-line.ts';
import { givenDeadAddress } from '../../support/http/addresses.ts';
import { givenGateway } from '../../support/http/gateway-client.ts';
import { runInProcess } from '../../support/operators/operate.ts';
import { expectFailure } from '../../support/programs/expect-sentence.ts';

const start = (...flags: readonly string[]) =>
  runInProcess((streams) => execute(localStageProgram(), streams, flags));

test('--help names every flag', async () => {
  const { exitCode, stdout, stderr } = await start('--help');

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const flag of ['--port', '--data', '--dynamodb', '--checkout-url', '--json', '--help']) {
    expect(stdout).toContain(flag);
  }
});

test.each([
  ['--port', /port/, ['--port', 'abc']],
  ['--port out of range', /port/, ['--port', '70000']],
  ['--port that is negative', /port/, ['--port', '-1']],
  ['--dynamodb', /dynamodb/, ['--dynamodb', 'nonsense']],
  ['--dynamodb beside --data', /data.*dynamodb/, ['--data', 'x', '--dynamodb', 'http://127.0.0.1:8000']],
  ['--checkout-url', /checkout-url/, ['--checkout-url', 'ftp://x']],
  ['--checkout-url with a query', /checkout-url/, ['--checkout-url', 'https://pay.example.test?shop=1']],
  ['--data that a shell did not expand', /--data ~\/FILE/, ['--data=~/x']],
  ['--data in memory', /memory/, ['--data', ':memory:']],
  ['unknown flag', /--nonsense/, ['--nonsense']],
  ['flag without its value', /port/, ['--port']],
  ['stray word', /arguments/, ['nonsense']],
])('a wrong %s is reported in one sentence', async (_what, words, flags) => {
  expectFailure(await start(...flags), 2, words);
});

/** The address of a DynamoDB that fails on every call. */
const givenFailingDatabase = async (message: string): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const body = { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message };
    outgoing.writeHead(500, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
};

test.each<[string, RegExp, () => Promise<string[]>]>([
  [
    'a port in use',
    /^Port \d+ is in use: choose another with --port N \(0 = any free\)\.\n$/,
    async () => ['--port', new URL((await givenGateway()).baseUrl).port, '--data', 'memory'],
  ],
  [
    'a --data folder that never can be created',
    /^The folder \/proc\/none cannot be created: choose another with --data FILE\.\n$/,
    async () => ['--data', '/proc/none/x'],
  ],
  [
    'a --data folder that cannot be created',
    /^The folder \/dev\/null cannot be created: choose another with --data FILE\.\n$/,
    async () => ['--data', '/dev/null/data.sqlite'],
  ],
  [
    'an empty --data',
    /^The data file has no name: choose another with --data FILE\.\n$/,
    async () => ['--data', ''],
  ],
  [
    'a --dynamodb address where nothing listens',
    /^DynamoDB does not respond at http:\/\/127\.0\.0\.1:\d+: check the address and the network\.\n$/,
    async () => ['--dynamodb', await givenDeadAddress()],
  ],
  [
    'a --dynamodb address with https:// where plain HTTP is spoken',
    /^No TLS connection is possible to DynamoDB at https:\/\/127\.0\.0\.1:\d+: check the address, or begin it with http:\/\/\.\n$/,
    async () => ['--dynamodb', (await givenGateway()).baseUrl.replace('http:', 'https:')],
  ],
  [
    'a --dynamodb whose disk is full',
    /^DynamoDB failed at http:\/\/127\.0\.0\.1:\d+ with InternalServerError: database or disk is full\n$/,
    async () => ['--dynamodb', await givenFailingDatabase('database or disk is full')],
  ],
  [
    'a --dynamodb address of another server',
    /^DynamoDB rejected the call/,
    async () => ['--dynamodb', (await givenGateway()).baseUrl],
  ],
])('%s ends the start in one sentence', async (_what, words, givenFlags) => {
  // The program would end the process of the tests on signals.
  vi.spyOn(process, 'on').mockReturnThis();

  expectFailure(await start('--port', '0', ...(await givenFlags())), 1, words);
});

test('a data file is relative to the folder of npm’s caller', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callers-folder-'));
  vi.stubEnv('npm_lifecycle_event', 'start');
  vi.stubEnv('INIT_CWD', folder);
  vi.spyOn(process, 'on').mockReturnThis();
  const { exitCode, stderr } = await start('--data', 'none/..');
  expect({ exitCode, stderr }).toStrictEqual({
    exitCode: 1,
    stderr: `${folder} is not a regular file: choose another with --data FILE.\n`,
  });
});
