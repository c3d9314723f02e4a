import { lineText, type Output, type Part } from '../terminal.ts';

const BAR_WIDTH = 30;

/** Erases the line from its beginning (ECMA-48, EL). */
const ERASE = '\r\u001b[2K';

/**
 * Shows the progress of a step in one line of standard error, if that is a terminal. Declare it with `using`: its end erases the
 * line.
 */
export const showProgress = ({ stderr }: { readonly stderr: Output }, step: string) => {
  const write = (control: string, ...parts: readonly Part[]): void => {
    if (stderr.isTTY === true) stderr.write(control + lineText(parts, stderr));
  };
  write(ERASE, step);
  return {
    /** Shows how much of the step is done. */
    update: (done: number, total: number): void => {
      const filled = Math.round((BAR_WIDTH * done) / total);
      const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
      write('\r', `${step} `, ['green', '█'.repeat(filled)], `${'░'.repeat(BAR_WIDTH - filled)} ${counts}`);
    },
    [Symbol.dispose]: (): void => write(ERASE),
  };
};
