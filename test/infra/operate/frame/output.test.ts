import { PassThrough } from 'node:stream';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { declaredJson } from '../../../../infra/operate/frame/output.ts';
import { table } from '../../../../infra/operate/frame/table.ts';
import type { Output } from '../../../../infra/terminal/terminal.ts';

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
  const terminal = (columns: number): Output => Object.assign(new PassThrough(), { isTTY: true, columns });
  const COLUMNS = {
    ID: ({ id }: typeof ROW) => id,
    LABEL: ({ label }: typeof ROW) => label,
    URL: ({ url }: typeof ROW) => url,
    STATE: () => 'enabled (UTC)',
  };
  const print = (stream: Output, rows = [ROW, ROW]): string[] => table(stream, COLUMNS, rows, '');

  test('that fits its terminal has a line for each row, with whole texts', () => {
    const lines = print(terminal(149));
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(149);
    for (const line of lines.slice(1)) {
      expect(line.split(/ {2,}/)).toStrictEqual([ID, ROW.label, ROW.url, 'enabled (UTC)']);
    }
  });

  test('too wide for its terminal has the last columns in a second line', () => {
    const lines = print(terminal(148)).map((line) => line.split(/ {2,}/));
    const row = [
      [ID, ROW.label, ROW.url],
      ['', 'enabled (UTC)'],
    ];
    expect(lines).toStrictEqual([['ID', 'LABEL', 'URL'], ['', 'STATE'], ...row, ...row]);
  });

  test('too wide for its terminal has no column whose cells are all empty', () => {
    const lines = print(terminal(ID.length + ROW.url.length + 17), [{ ...ROW, label: '' }]);
    expect(lines.map((line) => line.split(/ {2,}/))).toStrictEqual([
      ['ID', 'URL', 'STATE'],
      [ID, ROW.url, 'enabled (UTC)'],
    ]);
  });

  test('for a terminal that does not know its width has one line for each row', () => {
    expect(print(terminal(0))).toStrictEqual(print(terminal(1_000)));
  });

  test.each([60, 47])(
    'too wide for two lines of %d columns has each cell on a line with its heading, but no empty one',
    (columns) => {
      const block = [`ID     ${ID}`, `LABEL  ${ROW.label}`, `URL    ${ROW.url}`, 'STATE  enabled (UTC)'];
      const lines = print(terminal(columns), [ROW, { ...ROW, label: '' }]);
      expect(lines).toStrictEqual([...block, '', ...block.toSpliced(1, 1)]);
    },
  );

  test('keeps its columns beside characters that take two columns of a terminal, or are several code points', () => {
    const lines = table(
      terminal(80),
      { STORE: (name: string) => name, MODE: () => 'live' },
      ['東京商店', '👩‍💻'],
      '',
    );
    expect(lines).toStrictEqual(['STORE     MODE', '東京商店  live', '👩‍💻        live']);
  });

  test('in a pipe has a line for each row, whatever its width', () => {
    const piped = print(Object.assign(new PassThrough(), { columns: 80 }));
    expect(piped.slice(1)).toStrictEqual(Array(2).fill(`${ID}  ${ROW.label}  ${ROW.url}  enabled (UTC)`));
  });
});
