import { type Pauses, retry } from '../../../lib/core/retry.ts';

/**
 * Calls `look` until it finds something or the time is over, with pauses that grow from 250 ms to 2 s.
 *
 * @param seconds to within 2 s
 * @returns `undefined` if it is still missing at the end
 */
export const until = <Found>(
  { sleep }: Pick<Pauses, 'sleep'>,
  seconds: number,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  // The first three pauses take 1.75 s together, and each further one 2 s.
  const attemptsMax = 4 + Math.ceil((seconds - 1.75) / 2);
  return retry(look, { firstMs: 250, maxMs: 2_000, attemptsMax, pauses: { sleep, random: () => 1 } });
};
