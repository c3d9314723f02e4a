import { createInterface } from 'node:readline/promises';
import type { Mode } from '../../lib/core/mode.ts';
import { type Streams, UsageError } from '../command-line.ts';
import { OperatorError } from '../operator-error.ts';
import type { YesFlag } from './options.ts';

/** Asks on standard error, because standard output holds nothing but the result. */
const ask = async (question: string, { stdin, stderr }: Streams): Promise<string> => {
  const lines = createInterface({ input: stdin, output: stderr });
  // After Ctrl-D or Ctrl-C, `question` stays pending for ever.
  const closed = new Promise<string>((settle) => void lines.once('close', () => settle('')));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
};

/**
 * Asks the operator before a command changes a key, a cart, a payment, an endpoint or a message of live mode. A command whose
 * mode is not known in advance asks too. Exactly the commands that can ask accept `--yes`. The others change what has no mode,
 * such as products, or test mode alone.
 *
 * @param action the beginning of the question, such as "Revoking the live key 06292f8a"
 * @throws OperatorError if the operator declines
 * @throws UsageError if standard input is no terminal
 */
export const confirmLive = async (
  streams: Streams,
  action: string,
  { mode, yes }: YesFlag & { readonly mode: Mode },
): Promise<void> => {
  if (mode === 'test' || yes === true) return;
  if (streams.stdin.isTTY !== true) {
    throw new UsageError(`${action} needs a confirmation, but standard input is no terminal: add --yes.`);
  }
  const typed = await ask(`${action}. Type yes to continue: `, streams);
  if (typed.trim().toLowerCase() !== 'yes') throw new OperatorError('Not confirmed: nothing was changed.');
};
