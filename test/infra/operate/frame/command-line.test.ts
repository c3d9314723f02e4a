import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { COMMANDS as DECLARED } from '../../../../infra/operate/commands.ts';
import { FILE } from '../../../../infra/operate/frame/value-types.ts';
import { currentRelease } from '../../../../infra/stage/release.ts';
import {
  operateCommandsIn,
  parseOperate,
  shellLinesOf,
  withValues,
} from '../../../support/documents/documented-commands.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const KEY_ID = '0'.repeat(64);

describe('a wrong command line ends with exit code 2 and one sentence', () => {
  const ISSUE = ['keys', 'issue', '--store', 's'];

  test.each<[string, RegExp, string[]]>([
    ['an unknown command', /nonsense/, ['nonsense']],
    ['an unknown command of keys', /nonsense/, ['keys', 'nonsense']],
    ['a verb of other programs', /'delete' \(Did you mean revoke\?\)/, ['keys', 'delete']],
    ['a verb with two meanings', /'add' \(Did you mean create\?\)/, ['webhooks', 'add']],
    ['an unknown flag', /--nonsense/, [...ISSUE, '--nonsense']],
    ['no store', /--store/, ['keys', 'issue']],
    ['two stores', /given twice/, [...ISSUE, '--store', 'other']],
    ['two modes', /given twice/, [...ISSUE, '--mode', 'live', '--mode', 'test']],
    ['a store id with a slash', /--store/, ['keys', 'issue', '--store', 'a/b']],
    ['an unknown mode', /--mode/, [...ISSUE, '--mode', 'both']],
    ['a lifetime without a unit', /--expires-in/, [...ISSUE, '--expires-in', '90']],
    ['a lifetime of zero', /--expires-in/, [...ISSUE, '--expires-in', '0d']],
    ['a lifetime over 3,650 days', /--expires-in/, [...ISSUE, '--expires-in', '3651d']],
    ['a label with a control character', /--label/, [...ISSUE, '--label', 'a\tb']],
    ['a label of 101 characters', /--label/, [...ISSUE, '--label', 'x'.repeat(101)]],
    ['a language without a region', /--lang/, [...ISSUE, '--lang', 'fr']],
    ['an overlap in words', /--overlap/, ['keys', 'rotate', KEY_ID, '--overlap', 'soon']],
    ['no limit to set', /--limit/, ['keys', 'set-limit', KEY_ID, '--window', '60']],
    ['no window to set', /--window/, ['keys', 'set-limit', KEY_ID, '--limit', '60']],
    [
      'over 1,000 requests a second',
      /1000 requests a second/,
      ['keys', 'set-limit', KEY_ID, '--limit', '1001', '--window', '1'],
    ],
    ['no key id', /keyId/, ['keys', 'revoke']],
    ['an endpoint id of another form', /An endpoint id is we_/, ['webhooks', 'test', 'we_nonsense']],
    ['an empty stage name', /--stage/, [...ISSUE, '--stage', ' ']],
    ['an invalid address', /--dynamodb/, [...ISSUE, '--dynamodb', 'nonsense']],
  ])('%s', async (_what, words, args) => {
    expectFailure(await operate(args), 2, words);
  });
});

const COMMANDS = Object.entries(DECLARED);

const RANGED = COMMANDS.filter(([, { spec }]) => spec.options?.['since'] && spec.options['until']);

test('every command with a time range rejects one that ends before it begins', async () => {
  expect(RANGED.map(([words]) => words)).toStrictEqual(['carts list', 'stats']);
  for (const [words] of RANGED) {
    const range = ['--since', '2026-11-20T14:00:00Z', '--until', '2026-11-20T13:59:59Z'];
    expect(await operate([...words.split(' '), ...range])).toStrictEqual({
      exitCode: 2,
      stdout: '',
      stderr: '--until must not be before --since.\n',
    });
  }
});

/** Every option that is a time, with its command. */
const TIME_OPTIONS = COMMANDS.flatMap(([words, { spec }]) =>
  Object.entries(spec.options ?? {})
    .filter(([, { type }]) => type?.placeholder === 'time')
    .map(([name, { type }]) => [words, name, type!] as const),
);

test('the commands with a time', () => {
  expect(TIME_OPTIONS.map(([words, name]) => `${words} ${name}`)).toStrictEqual([
    'carts list since',
    'carts list until',
    'stats since',
    'stats until',
    'payments send occurredAt',
    'webhooks replay since',
    'listen since',
    'audit list since',
    'restore items at',
  ]);
});

describe.each(TIME_OPTIONS)('%s --%s', (_words, _name, type) => {
  const NOW_MS = Date.parse('2026-11-20T14:00:00Z');

  test.each([
    ['24h', '2026-11-19T14:00:00Z'],
    ['7d', '2026-11-13T14:00:00Z'],
    ['0s', '2026-11-20T14:00:00Z'],
    ['2026-11-01', '2026-11-01T00:00:00Z'],
    ['2026-11-01T12:00:00+02:00', '2026-11-01T10:00:00Z'],
  ])('accepts %s', (text, time) => {
    expect(type.parse(text, NOW_MS)).toBe(Date.parse(time));
  });

  test.each(['yesterday', '24', '-24h', '2026-02-30', '2026-11-01T12:00:00', '2026-11'])(
    'rejects %s',
    (text) => {
      expect(() => type.parse(text, NOW_MS)).toThrow(/a duration .*a date .*an RFC 3339 timestamp/);
    },
  );
});

test.each(COMMANDS)(
  '%s works on any stage, prints JSON, and shows an example in its help',
  async (words, { spec }) => {
    const ended = await operate([...words.split(' '), '--help']);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    // These commands select no stage.
    const isStageless = /^(?:listen|preflight|completion|stages list)$/.test(words);
    const flags = isStageless ? ['--json'] : ['--stage', '--dynamodb', '--json'];
    for (const flag of flags) expect(ended.stdout).toContain(` ${flag}`);
    expect(ended.stdout).toMatch(new RegExp(`^ {2}npm run (?:--silent )?operate -- ${words}\\b`, 'm'));
    expect(ended.stdout.includes('It reads whole tables')).toBe(spec.scans === true);
  },
);

test('--help ends with exit code 0 and lists the commands', async () => {
  const ended = await operate(['--help']);
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  for (const part of [...COMMANDS.map(([words]) => words.split(' ')[0]), '--json', 'Exit codes']) {
    expect(ended.stdout).toContain(part);
  }
});

test('a path is relative to the folder from which npm was called for this command line', () => {
  vi.stubEnv('INIT_CWD', '/from');
  vi.stubEnv('npm_lifecycle_event', 'operate');
  expect(FILE.parse('a.csv', 0)).toBe('/from/a.csv');
  expect(FILE.parse('/to/a.csv', 0)).toBe('/to/a.csv');
  // Another script of npm calls the command line, in a folder of its own.
  vi.stubEnv('npm_lifecycle_event', 'release');
  expect(FILE.parse('a.csv', 0)).toBe(resolve('a.csv'));
});

test('the notes of a command fit the width of the terminal', async () => {
  const notes = async (columns: number): Promise<string[]> => {
    const { stdout } = await operate(['payments', 'send', '--help'], { typed: '', columns });
    return stdout.slice(stdout.indexOf('\nExample:')).split('\n');
  };
  const [narrow, wide] = [await notes(60), await notes(200)];
  expect(narrow.filter((line) => line.length > 60)).toStrictEqual([]);
  expect(wide.length).toBeLessThan(narrow.length);
  expect(narrow.join(' ').split(/\s+/)).toStrictEqual(wide.join(' ').split(/\s+/));
});

describe('the words of a command', () => {
  const OPTIONS = ['--dynamodb', 'http://127.0.0.1:1', '--json'];

  test.each<[string, string[]]>([
    ['before it', [...OPTIONS, 'stores', 'list']],
    ['before it, with =', ['--dynamodb=http://127.0.0.1:1', '--json', 'stores', 'list']],
    ['within it', ['stores', ...OPTIONS, 'list']],
    ['behind it', ['stores', 'list', ...OPTIONS]],
  ])('may have the common options %s', async (_place, args) => {
    const { error } = JSON.parse((await operate(args)).stderr) as { error: { message: string } };
    expect(error.message).toMatch(/^DynamoDB does not respond at http:\/\/127\.0\.0\.1:1:/);
  });

  test.each<[string[], string[]]>([
    [['help'], []],
    [['help', 'keys'], ['keys']],
    [
      ['help', 'keys', 'issue'],
      ['keys', 'issue'],
    ],
    [
      ['keys', 'help', 'issue'],
      ['keys', 'issue'],
    ],
  ])('%j shows the help of %j', async (args, words) => {
    expect(await operate(args)).toStrictEqual(await operate([...words, '--help']));
  });
});

describe('a failure with --json is one line of JSON on standard error', () => {
  test.each<[number, string, string[]]>([
    [2, "unknown option '--nope'", ['keys', 'list', '--nope', '--json']],
    [2, "unknown command 'delete' (Did you mean revoke?)", ['keys', 'delete', '--json']],
    [2, "unknown command 'lst' (Did you mean list?)", ['--json', 'keys', 'lst']],
    [2, '--until must not be before --since.', ['stats', '--since', '1h', '--until', '2h', '--json']],
    [
      1,
      'The file /no/where.csv cannot be read: no such file or directory.',
      ['products', 'import', '/no/where.csv', '--dynamodb', 'http://127.0.0.1:1', '--json'],
    ],
  ])('with the exit code %i: %s', async (exitCode, message, args) => {
    const ended = await operate(args);
    expect(ended).toStrictEqual({
      exitCode,
      stdout: '',
      stderr: `${JSON.stringify({ error: { exitCode, message } })}\n`,
    });
  });
});

test('--version prints the version and the commit of the checkout', async () => {
  const { version, commit } = currentRelease();
  const stdout = `${version} (commit ${commit})\n`;
  expect(await operate(['--version'])).toStrictEqual({ exitCode: 0, stdout, stderr: '' });
});

test('help fails if standard output rejects it, unless the reader has gone', async () => {
  const full = await operate(['--help'], { outputError: 'ENOSPC' });
  expect(full).toStrictEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Standard output cannot be written (ENOSPC): the result is lost.\n',
  });
  const unread = await operate(['--help'], { outputError: 'EPIPE' });
  expect(unread).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test.each(['operate', 'payments', 'privacy'])(
  'each command in a block of docs/%s.md is a valid command line',
  async (page) => {
    vi.stubEnv('CART_CHECKOUT_API_KEY', DEMO_STORES[0]?.apiKey);
    const commands = operateCommandsIn(shellLinesOf(readFileSync(`docs/${page}.md`, 'utf8')));
    expect(commands).not.toStrictEqual([]);
    for (const command of commands) {
      await expect(parseOperate(withValues(command)), command).resolves.toBeDefined();
    }
  },
);
