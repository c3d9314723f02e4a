import { createInterface } from 'node:readline/promises';
import type { Mode } from '../../lib/api-keys/api-key.ts';
import { UsageError } from '../command-line.ts';
import { OperatorError } from '../operator-error.ts';
import type { YesFlag } from './options.ts';

/** Where a person can be asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** Questions go to standard error, so that standard output holds the result alone. */
const PROCESS_TERMINAL: Terminal = { input: process.stdin, output: process.stderr };

const ask = async (question: string, { input, output }: Terminal): Promise<string> => {
  const lines = createInterface({ input, output });
  // The input's end (Ctrl-D) and Ctrl-C answer nothing, where the promise of an answer would stay open.
  const closed = new Promise<string>((settle) => void lines.once('close', () => settle('')));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
};

/**
 * Asks a person to confirm what real buyers and real money will feel; test mode is not asked about.
 *
 * @param what what is about to happen, as the beginning of a sentence
 * @throws OperatorError if the person declines
 * @throws UsageError if there is nobody to ask
 */
export const confirmLive = async (
  what: string,
  { mode, yes }: YesFlag & { readonly mode: Mode },
  terminal: Terminal = PROCESS_TERMINAL,
): Promise<void> => {
  if (mode === 'test' || yes === true) return;
  if (terminal.input.isTTY !== true) {
    throw new UsageError(`${what} needs a confirmation, and there is no terminal to ask on: add --yes.`);
  }
  const answer = await ask(`${what}. Type yes to go on: `, terminal);
  if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Not confirmed: nothing was changed.');
};
