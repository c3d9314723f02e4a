import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { COMMAND_TREE, COMMANDS } from '../../../../infra/operate/commands.ts';
import { wordOf } from '../../../../infra/operate/frame/parameter.ts';
import { operate } from '../../../support/operators/operate.ts';

/** The completions of a command line. The arguments are those that bash adds. */
const complete = async (line: string): Promise<string[]> => {
  vi.stubEnv('COMP_LINE', `${line} behind the cursor`);
  vi.stubEnv('COMP_POINT', String(line.length));
  const { stdout } = await operate(['completion', 'operate', 'word', 'previous']);
  return stdout.split('\n').slice(0, -1);
};

describe('the Tab key completes', () => {
  test('the names of groups and of commands without one', async () => {
    expect(await complete('operate ')).toStrictEqual(Object.keys(COMMAND_TREE));
  });

  test.each(
    Object.entries(COMMAND_TREE).flatMap(([name, entry]) =>
      'spec' in entry ? [] : [[name, Object.keys(entry.commands)] as const],
    ),
  )('the commands of %s', async (name, commands) => {
    expect(await complete(`operate ${name} `)).toStrictEqual(commands);
  });

  test.each<[string, string[]]>([
    ['operate ke', ['keys']],
    ['operate keys is', ['issue']],
    ['operate --stage prod ke', ['keys']],
    ['operate keys --json is', ['issue']],
    ['operate --st', ['--stage']],
    ['operate keys issue --mo', ['--mode']],
    ['operate keys issue --mode ', ['live', 'test']],
    ['operate keys issue --mode l', ['live']],
    ['operate restore items --table Prod', ['Products']],
    ['operate completion ', ['bash', 'zsh', 'fish']],
    // The shell then completes the names of files.
    ['operate products import ', []],
    ['operate keys issue --store ', []],
  ])('%s', async (line, words) => {
    expect((await complete(line)).toSorted()).toStrictEqual(words.toSorted());
  });

  test('the options of a command without further arguments', async () => {
    const words = await complete('operate keys list ');
    const own = Object.keys(COMMANDS['keys list']?.spec.options ?? {}).map((name) => `--${wordOf(name)}`);
    expect(own).toContain('--store');
    expect(words).toStrictEqual([...own, '--json', '--stage', '--dynamodb']);
  });
});

test('the script for bash adds a command that works in each folder, and completes it', async () => {
  const { stdout: script } = await operate(['completion', 'bash']);
  const line = 'operate keys is';
  const program = `${script}
    cd '${mkdtempSync(join(tmpdir(), 'completion-'))}'
    export COMP_LINE='${line}' COMP_POINT=${line.length}
    eval "$(complete -p operate | sed "s/.* -C '\\(.*\\)' operate/\\1/") operate is keys"`;
  expect(execFileSync('bash', ['-c', program], { encoding: 'utf8' })).toBe('issue\n');
});

test('the scripts for zsh and fish run the same command', async () => {
  const bash = (await operate(['completion', 'bash'])).stdout;
  expect((await operate(['completion', 'zsh'])).stdout).toContain(bash);
  const { stdout: fish } = await operate(['completion', 'fish']);
  expect(fish).toContain(`function operate; ${/\{ (.*) "\$@"/.exec(bash)?.[1]} $argv; end`);
});
