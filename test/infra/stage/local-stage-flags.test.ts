import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenDeadAddress, givenSilentAddress } from '../../support/addresses.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { type Ended, run, stopProcesses } from '../../support/processes.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

const BOUND_MS = 10_000;

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

const start = (...flags: readonly string[]): Promise<Ended> => run('infra/local/main.ts', flags).ended;

test('--help ends with exit code 0 and names every flag', async () => {
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
])('a wrong %s is told in one sentence', async (_what, words, flags) => {
  const ended = await start(...flags);

  expect(ended.exitCode).toBe(2);
  expectSentence(ended, words);
});

test('a port that is taken is told in one sentence', async () => {
  const { port } = new URL(stage.baseUrl);

  const ended = await start('--data', 'memory', '--port', port);

  expect(ended.exitCode).toBe(1);
  expectSentence(ended, new RegExp(`${port}.*in use.*--port`));
});

test('a --data folder that cannot be made is told in one sentence', async () => {
  const ended = await start('--port', '0', '--data', '/dev/null/data.sqlite');

  expect(ended.exitCode).toBe(1);
  expectSentence(ended, /cannot be made.*--data/);
});

test('a --data file that is no database is told in one sentence', async () => {
  const ended = await start('--port', '0', '--data', import.meta.filename);

  expect(ended.exitCode).toBe(1);
  expectSentence(ended, /not a valid SQLite database/);
});

describe('a --dynamodb that is no DynamoDB is told in one sentence, in bounded time', () => {
  test.each<[string, () => Promise<string>]>([
    ['where nothing listens', givenDeadAddress],
    ['where nothing ever answers', givenSilentAddress],
    ['where this very API answers', async () => stage.baseUrl],
  ])('%s', { timeout: BOUND_MS }, async (_what, address) => {
    const ended = await start('--port', '0', '--dynamodb', await address());

    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /DynamoDB/);
  });
});
