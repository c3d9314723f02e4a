import { lineText, type Output, type Part } from '../terminal.ts';

const BAR_WIDTH = 30;

/** Erases the line from its beginning (ECMA-48, EL). */
const ERASE = '\r\u001b[2K';

/** Shows the progress of a command in one line of standard error, if that is a terminal. */
export const showProgress = ({ stderr }: { readonly stderr: Output }) => {
  let shown = '';
  const write = (control: string, ...parts: readonly Part[]): void => {
    if (stderr.isTTY === true) stderr.write(control + lineText(parts, stderr));
  };
  return {
    /** Shows what the command does. */
    begin: (step: string): void => {
      shown = step;
      write(ERASE, step);
    },
    /** Shows how much of the step is done. */
    update: (done: number, total: number): void => {
      const filled = Math.round((BAR_WIDTH * done) / total);
      const counts = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
      write('\r', `${shown} `, ['green', '█'.repeat(filled)], `${'░'.repeat(BAR_WIDTH - filled)} ${counts}`);
    },
    /** Erases the line. */
    end: (): void => write(ERASE),
  };
};

export type Progress = ReturnType<typeof showProgress>;
