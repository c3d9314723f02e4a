import { randomInt } from 'node:crypto';

/** The digits of base62, from 0 to 61. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Draws random base62 characters, 5.95 bits each.
 *
 * @param randomBelow draws a uniform integer from 0 to below its argument, by default from a CSPRNG
 */
export const randomBase62 = (length: number, randomBelow: (max: number) => number = randomInt): string =>
  Array.from({ length }, () => BASE62.charAt(randomBelow(62))).join('');
