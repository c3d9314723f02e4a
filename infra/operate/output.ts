import { styleText } from 'node:util';
import { countCharacters } from '../../lib/text.ts';
import { printable, type Streams, write } from '../command-line.ts';

/**
 * Prints a result on standard output: one line of JSON, or lines for a person.
 *
 * @throws OperatorError if standard output does not accept it
 */
export const print = (
  { stdout }: Streams,
  isJson: true | undefined,
  result: object,
  lines: readonly string[],
): Promise<void> => write(stdout, `${isJson ? JSON.stringify(result) : lines.join('\n')}\n`);

/**
 * Lays out rows in columns below a heading. The heading is bold on a terminal with colours (`NO_COLOR` switches them off).
 *
 * @param otherwise the only line if there are no rows
 */
export const table = (
  { stdout }: Streams,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  otherwise: string,
): string[] => {
  if (rows.length === 0) return [otherwise];
  const cells = rows.map((row) => row.map(printable));
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...cells].map((row) => countCharacters(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - countCharacters(cell)))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(heading), { stream: stdout }), ...cells.map(line)];
};

/** The last moment that a Date can hold (ECMA-262, "Time Values and Time Range"). */
const TIME_MAX_MS = 8_640_000_000_000_000;

/** A moment in ISO 8601, in UTC; a moment beyond the last Date becomes the last Date. */
export const isoTime = (timeMs: number): string => new Date(Math.min(timeMs, TIME_MAX_MS)).toISOString();

/** A moment that may be missing: `undefined` is left out of the JSON. */
export const optionalIsoTime = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : isoTime(timeMs);

/** A moment to the minute, in UTC, for a table. */
export const minuteOf = (timeMs: number): string => isoTime(timeMs).slice(0, -8).replace('T', ' ');
