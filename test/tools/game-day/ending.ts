import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { counted } from '../../../infra/terminal/counted.ts';

/** The text at the end of a game. The stage then still runs. */
export const endingOf = (section: string, isMended: boolean, minutes: number): string => {
  const time = counted(minutes, 'minute');
  return `\
${isMended ? `Mended after ${time}:` : `Not mended within ${time}. It is`} docs/runbook.md, section ${section}.
The stage stays: try the "Over when" of the section. Then end any stage that you started yourself.
Press Enter, and the game removes the stage and its data.`;
};

/** Waits until the player presses Enter, or until standard input ends. */
export const untilEnter = async (stdin: Readable): Promise<void> => {
  if (stdin.readableEnded) return;
  const lines = createInterface({ input: stdin });
  try {
    await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  } finally {
    lines.close();
  }
};
