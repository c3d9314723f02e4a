import type { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { cartsCommand } from '../../../infra/operate/carts/command.ts';
import { deadLettersCommand } from '../../../infra/operate/dead-letters/command.ts';
import { keysCommand } from '../../../infra/operate/keys/command.ts';
import { productsCommand } from '../../../infra/operate/products/command.ts';
import { operate, stopProcesses } from '../../support/processes.ts';

afterAll(stopProcesses);

/** Every command of a noun that does something, by the words that call it. */
const commandsOf = (noun: Command): [string, Command][] =>
  noun.commands.map((command): [string, Command] => [`${noun.name()} ${command.name()}`, command]);

const COMMANDS = [keysCommand(), productsCommand(), cartsCommand(), deadLettersCommand()].flatMap(commandsOf);

test('the nouns have these commands', () => {
  expect(COMMANDS.map(([words]) => words)).toEqual([
    'keys issue',
    'keys list',
    'keys rotate',
    'keys set-limit',
    'keys revoke',
    'products put',
    'products import',
    'products list',
    'products enable',
    'products disable',
    'carts show',
    'carts list',
    'dead-letters list',
    'dead-letters redrive',
    'dead-letters remove',
  ]);
});

describe.each(COMMANDS)('%s', (words, command) => {
  test('works on any stage, and prints JSON if asked to', () => {
    const flags = command.options.map(({ long }) => long);
    expect(flags).toEqual(expect.arrayContaining(['--stage', '--dynamodb', '--json']));
  });

  test('--help ends with exit code 0 and shows an example of itself', async () => {
    const { exitCode, stdout, stderr } = await operate(...words.split(' '), '--help');

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^  npm run (?:--silent )?operate -- ${words}\\b`, 'm'));
  });
});

test.each([
  ['keys', 'list'],
  ['products', 'list'],
  ['carts', 'list'],
])('the help of %s %s says that it reads the whole table', async (...words) => {
  expect((await operate(...words, '--help')).stdout).toContain('reads the whole table');
});

test.each([
  [[], ['keys', 'products', 'carts', 'dead-letters', 'accept', '--stage', '--json', 'Exit codes']],
  [['keys'], ['issue', 'list', 'rotate', 'set-limit', 'revoke']],
  [['products'], ['put', 'import', 'list', 'enable', 'disable']],
])('%j --help ends with exit code 0 and lists what there is', async (words, parts) => {
  const { exitCode, stdout, stderr } = await operate(...words, '--help');

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const part of parts) expect(stdout).toContain(part);
});
