import { styleText } from 'node:util';
import { countCharacters } from '../../lib/text.ts';

/** Prints a result on standard output: one line of JSON, or lines for a person. */
export const print = (isJson: true | undefined, result: object, lines: readonly string[]): void => {
  process.stdout.write(`${isJson ? JSON.stringify(result) : lines.join('\n')}\n`);
};

/** A text that came from a table or a file, without the characters that a terminal would obey (controls, and marks of direction). */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** Emphasis, on a terminal that shows colours only (`NO_COLOR` and `FORCE_COLOR` are obeyed). */
export const emphasized = (text: string): string => styleText('bold', text, { stream: process.stdout });

/** Lays out rows below a heading, in columns as wide as their widest cell. */
export const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...rows].map((row) => countCharacters(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - countCharacters(cell)))
      .join('  ')
      .trimEnd();
  return [emphasized(line(heading)), ...rows.map(line)];
};

/** A moment in UTC, for people and programs alike. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();
