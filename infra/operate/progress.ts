import { styleText } from 'node:util';
import type { Streams } from '../command-line.ts';

const BAR_WIDTH = 30;

/** Shows a progress bar in one line of standard error if that is a terminal. */
export const showProgress = ({ stderr }: Streams, total: number) => {
  if (stderr.isTTY !== true) return { update: () => {}, end: () => {} };
  return {
    update: (done: number): void => {
      const filled = Math.round((BAR_WIDTH * done) / total);
      const bar = styleText('green', '█'.repeat(filled), { stream: stderr }) + '░'.repeat(BAR_WIDTH - filled);
      stderr.write(`\r${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
    },
    /** Erases the line (ECMA-48, EL). */
    end: (): void => void stderr.write('\r\u001b[2K'),
  };
};
