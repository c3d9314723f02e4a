import { describe, expect, test } from 'vitest';
import { localStageProgram } from '../../../../infra/local/program.ts';
import { execute } from '../../../../infra/terminal/command-line.ts';
import { operate, runInProcess } from '../../../support/operators/operate.ts';

/** A command of a terminal that sets its title, control sequences of both kinds, a direction mark and a line break. */
const HOSTILE = '\u001b]0;pwn\u0007\u001b[2J\u009b31m\u202e\n';

const ON_TERMINAL = { typed: '' };

const COMMAND_LINES: [string, string[]][] = [
  ['a value of an option', ['stores', 'put', 'x', '--name', HOSTILE]],
  ['an unknown command', [`keys${HOSTILE}`]],
  ['an unknown command of a group', ['keys', `list${HOSTILE}`]],
  ['an unknown option', ['keys', 'list', `--store${HOSTILE}`]],
  ['a choice', ['stats', '--mode', HOSTILE]],
  ['an extra argument', ['keys', 'list', HOSTILE]],
  [
    'the name of a file',
    ['products', 'import', `/nowhere/${HOSTILE}.csv`, '--dynamodb', 'http://127.0.0.1:1'],
  ],
  ['an address', ['keys', 'list', '--dynamodb', `http://127.0.0.1:1/${HOSTILE}`]],
];

describe('a message shows no character of an argument that a terminal would interpret', () => {
  test.each(COMMAND_LINES)('%s', async (_what, args) => {
    const { exitCode, stdout, stderr } = await operate(args);
    expect(exitCode).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\n$/u);
  });

  test('of the local stage', async () => {
    for (const args of [[`--port${HOSTILE}`], ['--port', HOSTILE], [HOSTILE]]) {
      const ended = await runInProcess((streams) => execute(localStageProgram(), streams, args), ON_TERMINAL);
      expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ended.stderr).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\n$/u);
    }
  });
});
