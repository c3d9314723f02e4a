import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashSource } from '../../../lib/http/source-hash.ts';

const KEY = 'k'.repeat(64);
const hash = (text: string): string =>
  createHash('sha256').update(`${KEY} ${text}`).digest('hex').slice(0, 16);

describe('the hash of a source address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
  ])('is keyed, and covers an IPv4 address or the /64 of an IPv6 address: %s', (address, hashed) => {
    expect(hashSource(address, KEY)).toBe(hash(hashed));
  });

  it('differs from stage to stage', () => {
    expect(hashSource('203.0.113.7', KEY)).not.toBe(hashSource('203.0.113.7', 'x'.repeat(64)));
  });
});
