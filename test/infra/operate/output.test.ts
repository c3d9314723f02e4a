import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { describe, expect, test, vi } from 'vitest';
import { declaredJson, statusPart, table } from '../../../infra/operate/output.ts';
import { lineText, type Output } from '../../../infra/terminal.ts';
import { countCharacters } from '../../../lib/core/text.ts';

const AT_MS = Date.parse('2026-11-20T14:00:00Z');
const AT = '2026-11-20T14:00:00.000Z';

test('the JSON of a result has its declared fields only, with times in ISO 8601', () => {
  const form = 'id createdAt endsAt? rows(id at?) counts(live) items(id)? meta';
  const result = {
    id: 'one',
    createdAtMs: AT_MS,
    secret: 'undeclared',
    rows: [{ id: 'a', atMs: AT_MS, email: 'undeclared' }, { id: 'b' }],
    counts: { live: 1, test: 2 },
    meta: { sentAtMs: '5', other: 'kept' },
  };

  const json: unknown = JSON.parse(JSON.stringify(declaredJson(form, result)));

  expect(json).toStrictEqual({
    id: 'one',
    createdAt: AT,
    rows: [{ id: 'a', at: AT }, { id: 'b' }],
    counts: { live: 1 },
    meta: { sentAtMs: '5', other: 'kept' },
  });
});

describe('a table', () => {
  const ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
  const ROW = {
    id: ID,
    label: 'Web shop '.repeat(5).trim(),
    url: `https://${'shop.'.repeat(6)}example/hook`,
  };
  /** A terminal of a width, with the colours that its environment allows. */
  const terminal = (columns: number): Output => {
    const { getColorDepth } = WriteStream.prototype;
    return Object.assign(new PassThrough(), { isTTY: true, columns, getColorDepth });
  };
  const COLUMNS = {
    ID: ({ id }: typeof ROW) => id,
    LABEL: ({ label }: typeof ROW) => label,
    URL: ({ url }: typeof ROW) => url,
    STATE: () => statusPart('enabled', 'enabled (UTC)'),
  };
  const print = (stream: Output): string[] =>
    table(stream, COLUMNS, [ROW, ROW], '').map((line) => lineText(line, stream));

  test('that fits its terminal has a line for each row, with whole texts', () => {
    vi.stubEnv('NO_COLOR', '1');
    const lines = print(terminal(149));
    for (const line of lines) expect(countCharacters(line)).toBeLessThanOrEqual(149);
    for (const line of lines.slice(1)) {
      expect(line.split(/ {2,}/)).toStrictEqual([ID, ROW.label, ROW.url, 'enabled (UTC)']);
    }
  });

  test.each([148, 47])(
    'too wide for a terminal of %d columns has each cell on a line with its heading',
    (columns) => {
      vi.stubEnv('NO_COLOR', '1');
      const block = [`ID     ${ID}`, `LABEL  ${ROW.label}`, `URL    ${ROW.url}`, 'STATE  enabled (UTC)'];
      expect(print(terminal(columns))).toStrictEqual([...block, '', ...block]);
    },
  );

  test('has colours on a terminal, unless NO_COLOR is set, and none in a pipe, whatever its width', () => {
    for (const name of ['FORCE_COLOR', 'CI']) vi.stubEnv(name, undefined);
    vi.stubEnv('TERM', 'xterm-256color');
    vi.stubEnv('NO_COLOR', undefined);
    expect(print(terminal(149)).join('\n')).toContain('  \u001b[32menabled (UTC)\u001b[39m');
    vi.stubEnv('NO_COLOR', '1');
    expect(print(terminal(149)).join('\n')).not.toContain('\u001b');
    vi.stubEnv('NO_COLOR', undefined);
    const piped = print(Object.assign(new PassThrough(), { columns: 80 })).join('\n');
    expect(piped).not.toContain('\u001b');
    expect(piped).toContain(`${ID}  ${ROW.label}  ${ROW.url}  enabled (UTC)`);
  });
});
