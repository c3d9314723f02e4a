import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../infra/command-line.ts';
import { confirmLive } from '../../../infra/operate/confirm.ts';
import { OperatorError } from '../../../infra/operator-error.ts';

const WHAT = 'Revoking the live key';

/** A person at a terminal who types something. */
const givenTerminal = (typed: string, isTTY = true) => {
  const output = new PassThrough();
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  return { terminal: { input, output }, shown: async () => text(output.end()) };
};

describe('a live key is touched', () => {
  it.each(['yes\n', 'YES\n', ' yes \n'])('once a person has typed %j', async (typed) => {
    const { terminal, shown } = givenTerminal(typed);
    await confirmLive(WHAT, { mode: 'live' }, terminal);
    expect(await shown()).toContain('Revoking the live key. Type yes to go on:');
  });

  it('without a question where --yes was given', async () => {
    const { terminal, shown } = givenTerminal('no\n');
    await confirmLive(WHAT, { mode: 'live', yes: true }, terminal);
    expect(await shown()).toBe('');
  });
});

describe('a live key is left alone', () => {
  it.each(['no\n', 'y\n', '\n', ''])('where a person types %j', async (typed) => {
    const { terminal } = givenTerminal(typed);
    await expect(confirmLive(WHAT, { mode: 'live' }, terminal)).rejects.toThrow(
      new OperatorError('Not confirmed: nothing was changed.'),
    );
  });

  it('where nobody can be asked', async () => {
    const { terminal } = givenTerminal('yes\n', false);
    await expect(confirmLive(WHAT, { mode: 'live' }, terminal)).rejects.toThrow(UsageError);
  });
});

it('a test key is touched without a question', async () => {
  const { terminal, shown } = givenTerminal('no\n');
  await confirmLive(WHAT, { mode: 'test' }, terminal);
  expect(await shown()).toBe('');
});
