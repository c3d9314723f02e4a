import type { Pauses } from '../../lib/core/retry.ts';

const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 2_000;

/**
 * Calls `look` until it finds something or the time is over, with pauses that grow from 250 ms to 2 s.
 *
 * @returns `undefined` if it is still missing at the end
 */
export const until = async <Found>(
  { sleep }: Pick<Pauses, 'sleep'>,
  seconds: number,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  let leftMs = seconds * 1_000;
  for (let pauseMs = PAUSE_MIN_MS; leftMs > 0; pauseMs = Math.min(PAUSE_MAX_MS, 2 * pauseMs)) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(Math.min(pauseMs, leftMs));
    leftMs -= pauseMs;
  }
  return look();
};
