import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ExitCode } from '../../../infra/command-line.ts';
import { givenOperatedService, type OperatedService } from '../../support/operate.ts';
import { STORE_ID } from '../../support/service.ts';

const STORE = ['--store', STORE_ID];
const UNKNOWN_KEY = '0'.repeat(64);

let stage: OperatedService;

beforeAll(async () => {
  stage = await givenOperatedService();
  return stage.close;
});

/** For each exit code, commands. `command-line.test.ts` has those that Commander rejects. */
const CASES: Readonly<Record<ExitCode, Readonly<Record<string, string[]>>>> = {
  0: {
    'a change': ['keys', 'issue', ...STORE],
    'an empty list': ['webhooks', 'list', ...STORE],
    'a repetition': ['stores', 'put', STORE_ID, '--name', STORE_ID],
    'nothing to redrive': ['dead-letters', 'redrive', '--yes'],
    help: ['keys', '--help'],
  },
  1: {
    'an unknown store': ['keys', 'list', '--store', 'unknown'],
    'an unknown key': ['keys', 'revoke', UNKNOWN_KEY],
    'an unknown beginning of a key id': ['keys', 'revoke', '0000'],
    'an unknown product': ['products', 'enable', 'unknown'],
    'an unknown cart': ['carts', 'show', randomUUID()],
    'an unknown endpoint': ['webhooks', 'test', `we_${'0'.repeat(24)}`],
    'an unknown dead letter': ['dead-letters', 'remove', 'unknown', '--yes'],
    'a stage without a canary': ['canary', 'setup'],
    'a missing file': ['products', 'import', '/nowhere/products.csv'],
  },
  2: {
    'a malformed key id': ['keys', 'revoke', 'nonsense'],
    'a malformed endpoint id': ['webhooks', 'test', 'we_nonsense'],
    'a malformed cart id': ['carts', 'show', 'nonsense'],
    'a malformed product': [
      'products',
      'put',
      'x',
      ...STORE,
      '--name',
      'X',
      '--currency',
      'XYZ',
      '--price',
      '1',
    ],
    'a malformed address': ['webhooks', 'create', ...STORE, '--mode', 'test', '--url', 'nonsense'],
    'a file of another kind': ['products', 'import', 'products.txt'],
    'no confirmation of a live change': ['keys', 'issue', ...STORE, '--mode', 'live'],
  },
};

describe.each(Object.entries(CASES))('exit code %s', (code, cases) => {
  test.each(Object.entries(cases))('%s', async (_what, args) => {
    const { exitCode, stdout, stderr } = await stage.run(args);

    const isDone = code === '0';
    expect({ exitCode, isQuiet: stderr === '', hasResult: stdout !== '' }).toStrictEqual({
      exitCode: Number(code),
      isQuiet: isDone,
      hasResult: isDone,
    });
  });
});
