import { lineText, type Output } from './terminal.ts';

/** Erases the line from its beginning (ECMA-48, EL). */
const ERASE = '\r\u001b[2K';

/**
 * Shows the progress of a step in one line of standard error, if that is a terminal. Declare it with `using`: its end erases the
 * line.
 */
export const showProgress = ({ stderr }: { readonly stderr: Output }, step: string) => {
  const write = (control: string, text = ''): void => {
    if (stderr.isTTY === true) stderr.write(control + lineText(text, stderr));
  };
  write(ERASE, step);
  return {
    /** Shows how much of the step is done. */
    update: (done: number, total: number): void =>
      write('\r', `${step} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`),
    [Symbol.dispose]: (): void => write(ERASE),
  };
};
