import { lineText, type Output } from '../terminal.ts';

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
export const showProgress = ({ stderr }: { readonly stderr: Output }): Progress => {
  if (stderr.isTTY !== true) return { begin: () => {}, update: () => {}, end: () => {} };
  let shown = '';
  return {
    begin: (step) => {
      shown = step;
      stderr.write(`${ERASE}${lineText(step, stderr)}`);
    },
    update: (done, total) => {
      const filled = Math.round((BAR_WIDTH * done) / total);
      const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
      const bar = ['green', '█'.repeat(filled)] as const;
      stderr.write(
        `\r${lineText([`${shown} `, bar, `${'░'.repeat(BAR_WIDTH - filled)} ${counts}`], stderr)}`,
      );
    },
    end: () => void stderr.write(ERASE),
  };
};
