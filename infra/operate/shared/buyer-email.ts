import { createInterface } from 'node:readline';
import { UsageError } from '../../terminal/command-line.ts';
import type { Streams } from '../../terminal/terminal.ts';

/** The forms that carts store: ASCII, with neither quotes nor backslashes. */
const EMAIL = /^[^\s"\\@\u0080-\uffff]{1,253}@[^\s"\\@\u0080-\uffff]{1,253}$/;

/** E-mail addresses that differ only in case belong to one buyer: no mail provider in use distinguishes them. */
const normalise = (email: string): string => email.trim().toLowerCase();

/** Whether an address of a cart is that of a buyer. */
export const isSameEmail = (email: string, other: unknown): boolean =>
  typeof other === 'string' && normalise(other) === email;

/** Reads a line. Unlike `ask`, it does not repeat the line on standard error, which a script may log. */
const readLine = async ({ stdin }: Pick<Streams, 'stdin'>): Promise<string> => {
  for await (const line of createInterface({ input: stdin })) return line;
  return '';
};

/**
 * Reads the e-mail address of a buyer.
 *
 * @param option the value of `--email`
 * @returns the address, trimmed and in lower case
 * @throws UsageError if it is not an e-mail address. The message does not repeat it
 */
export const readEmail = async (option: string, streams: Streams): Promise<string> => {
  if (option === '-' && streams.stdin.isTTY === true) streams.stderr.write('E-mail address: ');
  const email = normalise(option === '-' ? await readLine(streams) : option);
  if (EMAIL.test(email)) return email;
  throw new UsageError('--email must be one e-mail address, or - for standard input.');
};
