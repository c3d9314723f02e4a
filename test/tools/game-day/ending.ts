import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { counted } from '../../../infra/terminal/counted.ts';
import type { StartedFault } from './fault.ts';

export interface Ending {
  readonly isMended: boolean;
  /** How long the game was played. */
  readonly minutes: number;
}

/** The text at the end of a game. The stage then still runs. */
export const endingOf = (
  { section, beforeRemoval }: Pick<StartedFault, 'section' | 'beforeRemoval'>,
  { isMended, minutes }: Ending,
): string =>
  [
    isMended
      ? `Mended after ${counted(minutes, 'minute')}: docs/runbook.md, section ${section}.`
      : `Not mended within ${counted(minutes, 'minute')}. It is docs/runbook.md, section ${section}.`,
    'The stage stays: try the "Over when" of the section.',
    ...(beforeRemoval === undefined ? [] : [beforeRemoval]),
    'Press Enter, and the game removes the stage and its data.',
  ].join('\n');

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
