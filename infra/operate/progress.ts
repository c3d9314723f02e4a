import { styleText } from 'node:util';

const BAR_WIDTH = 30;

/** Shows how far a command has come. */
export interface Progress {
  update(done: number): void;
  /** Takes the bar away again. */
  end(): void;
}

/** A progress bar in one line of standard error, on a terminal only. */
export const showProgress = (total: number, stream: NodeJS.WriteStream = process.stderr): Progress => {
  if (!stream.isTTY) return { update: () => {}, end: () => {} };
  return {
    update: (done) => {
      const filled = Math.round((BAR_WIDTH * done) / total);
      const bar = styleText('green', '█'.repeat(filled), { stream }) + '░'.repeat(BAR_WIDTH - filled);
      stream.write(`\r${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`);
    },
    // Erases the line (ECMA-48, EL).
    end: () => void stream.write('\r\u001b[2K'),
  };
};
