import type { Host } from './options.ts';
import { pausesOf } from './queues.ts';

const POLL_MS = 500;

/**
 * Looks for something twice a second, until it is there or the time is over.
 *
 * @returns `undefined` if it is still missing at the end
 */
export const until = async <Found>(
  host: Pick<Host, 'sleep'>,
  seconds: number,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  const { sleep } = pausesOf(host);
  for (let polls = (seconds * 1_000) / POLL_MS; polls > 0; polls -= 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(POLL_MS);
  }
  return look();
};
