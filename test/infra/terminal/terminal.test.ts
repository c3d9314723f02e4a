import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ask, escapeJson, jsonText, lineText, type Output } from '../../../infra/terminal/terminal.ts';
import { runInProcess } from '../../support/operators/operate.ts';

/** Control sequences of both kinds, a direction mark, a line break and a separator, and a tag beyond the first plane. */
const HOSTILE = '\u001b[2J\u009b31m\u202e\n\u2028\u{E0041}';

/** A terminal with colours. */
const TERMINAL: Output = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 24 });

describe('a line', () => {
  test('shows a mark for each character that a terminal would interpret', () => {
    expect(lineText(`a${HOSTILE}b`, TERMINAL)).toBe('a?[2J?31m????b');
  });

  test('has styles, but none that its texts bring', () => {
    const line = [['bold', 'a\u001b[31m'], HOSTILE, 'é🛒'] as const;
    expect(lineText(line, TERMINAL)).toBe('\u001b[1ma?[31m\u001b[22m?[2J?31m????é🛒');
    expect(lineText(line, new PassThrough())).toBe('a?[31m?[2J?31m????é🛒');
  });
});

describe('a line of JSON', () => {
  test('escapes what a terminal would interpret, and parses to the same value', () => {
    const value = { [HOSTILE]: HOSTILE, cart: '🛒' };
    expect(jsonText(value)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(jsonText(value))).toStrictEqual(value);
  });

  test('stays one of several', () => {
    expect(escapeJson('{"a":"\u009b"}\n{}\n')).toBe('{"a":"\\u009b"}\n{}\n');
  });
});

test('a question shows no character that a terminal would interpret', async () => {
  const { stderr } = await runInProcess(
    async (streams) => {
      expect(await ask(`Revoking ${HOSTILE}: `, streams)).toBe('yes');
      return 0;
    },
    { typed: 'yes\n' },
  );
  expect(stderr).toContain('Revoking ?[2J?31m????: ');
});
