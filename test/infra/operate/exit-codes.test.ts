import { afterAll, describe, expect, test } from 'vitest';
import type { ExitCode } from '../../../infra/command-line.ts';
import { givenOperatedService } from '../../support/operate.ts';
import { STORE_ID } from '../../support/service.ts';

const STORE = ['--store', STORE_ID];

const stage = await givenOperatedService();

afterAll(stage.close);

/** Commands that no other test runs, by their exit code. Other tests of this folder have the exit codes of theirs. */
const CASES: Readonly<Record<ExitCode, Readonly<Record<string, string[]>>>> = {
  0: {
    'an empty list': ['webhooks', 'list', ...STORE],
    'a repetition': ['stores', 'put', STORE_ID, '--name', STORE_ID],
    'nothing to redrive': ['dead-letters', 'redrive', '--yes'],
  },
  1: {
    'an unknown endpoint': ['webhooks', 'test', `we_${'0'.repeat(24)}`],
  },
  2: {
    'a malformed key id': ['keys', 'revoke', 'nonsense'],
    'a malformed endpoint id': ['webhooks', 'test', 'we_nonsense'],
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
