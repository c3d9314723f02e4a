import { styleText } from 'node:util';
import type { Streams } from '../command-line.ts';

const BAR_WIDTH = 30;

/** Erases the line from its beginning (ECMA-48, EL). */
const ERASE = '\r\u001b[2K';

/** The progress of a command, in one line of standard error. */
export interface Progress {
  /** Shows what the command does. */
  readonly begin: (step: string) => void;
  /** Shows how much of the step is done. */
  readonly update: (done: number, total: number) => void;
  /** Erases the line. */
  readonly end: () => void;
}

/** Shows progress if standard error is a terminal. */
export const showProgress = ({ stderr }: Streams): Progress => {
  if (stderr.isTTY !== true) return { begin: () => {}, update: () => {}, end: () => {} };
  let step = '';
  return {
    begin: (nextStep) => {
      step = nextStep;
      stderr.write(`${ERASE}${step}`);
    },
    update: (done, total) => {
      const filled = Math.round((BAR_WIDTH * done) / total);
      const bar = styleText('green', '█'.repeat(filled), { stream: stderr }) + '░'.repeat(BAR_WIDTH - filled);
      stderr.write(`\r${step} ${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
    },
    end: () => void stderr.write(ERASE),
  };
};
