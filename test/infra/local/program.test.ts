import { expect, test, vi } from 'vitest';
import { execute } from '../../../infra/command-line.ts';
import { localStageProgram } from '../../../infra/local/program.ts';
import { givenDeadAddress } from '../../support/addresses.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { runInProcess } from '../../support/operate.ts';
import { givenGateway } from './gateway/client.ts';

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
  ['unknown flag', /--nonsense/, ['--nonsense']],
  ['flag without its value', /port/, ['--port']],
  ['stray word', /arguments/, ['nonsense']],
])('a wrong %s is reported in one sentence', async (_what, words, flags) => {
  expectFailure(await start(...flags), 2, words);
});

test.each<[string, RegExp, () => Promise<string[]>]>([
  [
    'a port in use',
    /^Port \d+ is in use: choose another with --port N \(0 = any free\)\.\n$/,
    async () => ['--port', new URL((await givenGateway()).baseUrl).port, '--data', 'memory'],
  ],
  [
    'a --data folder that cannot be created',
    /^The folder \/dev\/null cannot be created: choose another with --data FILE\.\n$/,
    async () => ['--data', '/dev/null/data.sqlite'],
  ],
  [
    'a --dynamodb address where nothing listens',
    /^DynamoDB does not respond: check the address and the network\.\n$/,
    async () => ['--dynamodb', await givenDeadAddress()],
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
