import { createInterface } from 'node:readline';
import { UsageError } from '../../command-line.ts';
import type { Streams } from '../../terminal.ts';

/** The forms that carts store: ASCII, with neither quotes nor backslashes. */
const EMAIL = /^[^\s"\\@\u0080-\uffff]{1,253}@[^\s"\\@\u0080-\uffff]{1,253}$/;

/** E-mail addresses that differ only in case belong to one buyer: no mail provider in use distinguishes them. */
const normalise = (email: string): string => email.trim().toLowerCase();

const readLine = async ({ stdin }: Pick<Streams, 'stdin'>): Promise<string> => {
  const lines = createInterface({ input: stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
};

/** A buyer, by the e-mail address. */
export interface Buyer {
  /** Trimmed and in lower case. */
  readonly email: string;
  /** Whether an address of a cart is the buyer's. */
  readonly has: (email: unknown) => boolean;
  /** Whether a JSON text, or JSON within it, has the address as a value. */
  readonly isIn: (json: string) => boolean;
}

/**
 * Reads the buyer of a command.
 *
 * @param option the value of `--email`
 * @throws UsageError if it is not an e-mail address. The message does not repeat it
 */
export const readBuyer = async (option: string, streams: Streams): Promise<Buyer> => {
  if (option === '-' && streams.stdin.isTTY === true) streams.stderr.write('E-mail address: ');
  const email = normalise(option === '-' ? await readLine(streams) : option);
  if (!EMAIL.test(email))
    throw new UsageError('--email must be one e-mail address, or - for standard input.');
  return {
    email,
    has: (other) => typeof other === 'string' && normalise(other) === email,
    isIn: (json) => {
      const text = json.toLowerCase();
      // JSON within JSON ends its texts with \".
      return text.includes(`"${email}"`) || text.includes(`"${email}\\`);
    },
  };
};
