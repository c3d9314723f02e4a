import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { OperatorError } from './operator-error.ts';

/** The streams of a command line: those of the process or of a test. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A stream, with the width of its terminal in characters. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export type Style = Parameters<typeof styleText>[0];

/** A text, which may have a style. It brings no control characters of its own. */
export type Part = string | readonly [style: Style, text: string];

/** A line of output. */
export type Line = string | readonly Part[];

/** Standard output does not accept a text. */
export class OutputError extends OperatorError {
  readonly hasNoReader: boolean;

  constructor(code: string | undefined) {
    super(`Standard output cannot be written (${code}): the result is lost.`);
    this.hasNoReader = code === 'EPIPE';
  }
}

/** Control characters, format characters and line separators, which a terminal would interpret. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The text of a line for a stream, without a line break. All output of the operators' commands and of the local stage, unless it
 * is constant, passes here or through {@link escapeJson}: no character of an argument, a file or a table reaches a terminal as a
 * command.
 */
export const lineText = (line: Line, stream: Output): string => {
  const printable = (text: string): string => text.replaceAll(UNPRINTABLE, '?');
  if (typeof line === 'string') return printable(line);
  const texts = line.map((part) =>
    typeof part === 'string' ? printable(part) : styleText(part[0], printable(part[1]), { stream }),
  );
  return texts.join('');
};

/** Lines of JSON with escapes in place of what {@link lineText} replaces. They parse to the same values. */
export const escapeJson = (lines: string): string =>
  lines.replaceAll(UNPRINTABLE, (character) => {
    if (character === '\n') return character;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });

/** A value as one line of JSON. */
export const jsonText = (value: object): string => escapeJson(JSON.stringify(value));

/** Prints lines and does not wait. A stream that fails loses them. */
export const sayLines = (stream: Output, lines: readonly Line[]): boolean =>
  stream.write(lines.map((line) => `${lineText(line, stream)}\n`).join(''));

/**
 * Prints a result, and waits until the stream has accepted it: one line of JSON, or lines for a person.
 *
 * @throws OutputError if the stream does not accept it
 */
export const printResult = (stream: Output, result: object | readonly Line[]): Promise<void> => {
  const lines = Array.isArray(result) ? (result as readonly Line[]) : [];
  const texts = lines === result ? lines.map((line) => lineText(line, stream)) : [jsonText(result)];
  return new Promise((settle, reject) => {
    stream.write(texts.map((text) => `${text}\n`).join(''), (error?: NodeJS.ErrnoException | null) => {
      if (error) reject(new OutputError(error.code));
      else settle();
    });
  });
};

/** Asks on standard error, because standard output holds nothing but the result. Empty after Ctrl-D or Ctrl-C. */
export const ask = async (question: string, { stdin, stderr }: Streams): Promise<string> => {
  const lines = createInterface({ input: stdin, output: stderr });
  // After Ctrl-D or Ctrl-C, `question` stays pending for ever.
  const closed = new Promise<string>((settle) => void lines.once('close', () => settle('')));
  try {
    return await Promise.race([lines.question(lineText(question, stderr)), closed]);
  } finally {
    lines.close();
  }
};
