import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { lazySetting } from '../settings/settings.ts';

const sourceHashKey = lazySetting('sourceHashKey');

/** 64 bits in hex: too many to collide among the sources of a log. */
const HASH_LENGTH = 16;

/** The first four groups of an IPv6 address: the /64 within which a host chooses its addresses freely. */
const networkOf = (address: string): string => {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

/**
 * Hashes a source address for the log: the same source has the same hash in every function of the stage, and nobody can
 * compute the address without the stage's key.
 *
 * It is no HMAC, which takes five times as long: nobody can extend a hash of which only a fourth is shown.
 *
 * @param address an IPv4 address, or an IPv6 address, which counts by its /64
 * @param key the stage's secret, by default from the environment
 */
export const hashSource = (address: string, key: string = sourceHashKey()): string =>
  hash('sha256', `${key} ${isIPv6(address) ? networkOf(address) : address}`).slice(0, HASH_LENGTH);
