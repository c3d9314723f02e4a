import { styleText } from 'node:util';
import { countCharacters } from '../../lib/text.ts';

const render = (isJson: true | undefined, result: object, lines: readonly string[]): string =>
  `${isJson ? JSON.stringify(result) : lines.join('\n')}\n`;

/** Prints a result on standard output: one line of JSON, or lines for a person. */
export const print = (isJson: true | undefined, result: object, lines: readonly string[]): void => {
  process.stdout.write(render(isJson, result, lines));
};

/** Ends the process where standard output takes no more; quietly where its reader, such as `head`, has read enough. */
export const endOnOutputError = ({ code }: NodeJS.ErrnoException): never => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Standard output cannot be written to (${code}): what was to be printed is lost.\n`);
  process.exit(1);
};

/**
 * Prints a result that nobody can look up later; if it cannot be printed, ends the process with a sentence.
 *
 * @param onLoss the sentence
 */
export const printOnce = (
  isJson: true | undefined,
  result: object,
  lines: readonly string[],
  onLoss: string,
): Promise<void> =>
  new Promise((settle) => {
    process.stdout.write(render(isJson, result, lines), (error) => {
      if (!error) return settle();
      // At once: the stream's own error event comes next, and would end the process as if the result could be had again.
      process.stderr.write(`${onLoss}\n`);
      process.exit(1);
    });
  });

/** A text that came from a table or a file, without the characters that a terminal would obey (controls, and marks of direction). */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** Emphasis, on a terminal that shows colours only (`NO_COLOR` and `FORCE_COLOR` are obeyed). */
export const emphasized = (text: string): string => styleText('bold', text, { stream: process.stdout });

/** Lays out rows below a heading, in columns as wide as their widest cell; cells may hold any text. */
export const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const cells = rows.map((row) => row.map(printable));
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...cells].map((row) => countCharacters(row[column] ?? ''))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - countCharacters(cell)))
      .join('  ')
      .trimEnd();
  return [emphasized(line(heading)), ...cells.map(line)];
};

/** The last moment that ECMAScript has a date for (ECMA-262, "Time Values and Time Range"). */
const TIME_MAX_MS = 8_640_000_000_000_000;

/** A moment in UTC, for people and programs alike; one that is later than any date is told as the last. */
export const isoTime = (timeMs: number): string => new Date(Math.min(timeMs, TIME_MAX_MS)).toISOString();
