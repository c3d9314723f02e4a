import type { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { localStageProgram } from '../../../infra/local/program.ts';
import { startLocalStage } from '../../../infra/local/local-stage.ts';
import { OperatorError } from '../../../infra/operator-error.ts';
import { isDatabaseUnavailable } from '../../../lib/dynamodb.ts';
import { givenDeadAddress } from '../../support/addresses.ts';
import { givenGateway } from './gateway/client.ts';

/** Parses flags in this process. Returns Commander's output and exit code. */
const parse = async (...flags: readonly string[]) => {
  let stdout = '';
  let stderr = '';
  const program = localStageProgram()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        stdout += text;
      },
      writeErr: (text) => {
        stderr += text;
      },
    });
  const error = await program.parseAsync(flags, { from: 'user' }).catch((thrown: unknown) => thrown);
  return { exitCode: (error as CommanderError).exitCode, stdout, stderr };
};

test('--help names every flag', async () => {
  const { exitCode, stdout, stderr } = await parse('--help');

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
  const { exitCode, stdout, stderr } = await parse(...flags);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(words);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
});

/** Starts a stage that fails to start. */
const start = (options: { port?: number; data?: string; dynamodbUrl?: string }) =>
  startLocalStage({ port: 0, data: 'memory', checkoutUrl: 'https://pay.example.test', ...options });

test('a port in use is reported in one sentence', async () => {
  const port = Number(new URL((await givenGateway()).baseUrl).port);

  await expect(start({ port })).rejects.toThrow(
    new OperatorError(`Port ${port} is in use: choose another with --port N (0 = any free).`),
  );
});

test('a --data folder that cannot be created is reported in one sentence', async () => {
  await expect(start({ data: '/dev/null/data.sqlite' })).rejects.toThrow(
    new OperatorError('The folder /dev/null cannot be created: choose another with --data FILE.'),
  );
});

test('a --dynamodb address without a DynamoDB is reported', async () => {
  const nothing = await start({ dynamodbUrl: await givenDeadAddress() }).catch((error: unknown) => error);
  const { baseUrl } = await givenGateway();

  expect(isDatabaseUnavailable(nothing)).toBe(true);
  await expect(start({ dynamodbUrl: baseUrl })).rejects.toMatchObject({ $fault: 'client' });
});
