import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  apiKeyId,
  generateApiKey,
  isWellFormedApiKey,
  LOGGED_KEY_ID_DIGITS,
  modeOf,
  withChecksum,
} from '../../../lib/api-keys/api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// The checksums come from Python's zlib.crc32, in base 62 by hand. The last one is small: it begins with zeros.
const TEST_KEY = 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1U7t3Q';
const LIVE_KEY = 'cck_live_zyxwvutsrqponmlkjihgfedcbaZYXWVU3zMs4J';
const KEYS = [TEST_KEY, LIVE_KEY, 'cck_test_00000000000000000000000000Bff13r00009E'];

describe('a well-formed key', () => {
  it.each(KEYS)('is its mode, 32 base62 characters and the CRC32 of both in 6 base62 digits: %s', (key) => {
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(withChecksum(key.slice(0, -6))).toBe(key);
  });

  it('is malformed after a change of one character, or a swap of two neighbours', () => {
    const character = fc.constantFrom(...`${BASE62}_- é`.split(''));
    const change = fc.tuple(fc.constantFrom(...KEYS), fc.nat({ max: 46 }), character);
    fc.assert(
      fc.property(change, ([key, index, other]) => {
        const changed = key.slice(0, index) + other + key.slice(index + 1);
        const [first = '', second = ''] = key.slice(index, index + 2);
        const swapped = key.slice(0, index) + second + first + key.slice(index + 2);
        for (const text of [changed, swapped]) expect(isWellFormedApiKey(text)).toBe(text === key);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['the checksum of another key', `${TEST_KEY.slice(0, -6)}3zMs4J`],
    ['the mode of another key', TEST_KEY.replace('test', 'live')],
    ['an unknown mode', 'cck_prod_0123456789ABCDEFGHIJKLMNOPQRSTUV376Ieb'],
    ['31 characters', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTU4RcLrN'],
    ['33 characters', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUVW0HRy9x'],
    ['a dash', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRST-V3LWBuQ'],
    ['a prefix in capitals', 'CCK_TEST_0123456789ABCDEFGHIJKLMNOPQRSTUV3MupeE'],
    ['a letter before it', withChecksum(`x${TEST_KEY.slice(0, -6)}`)],
    ['no checksum', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV'],
    ['a space before it', ` ${TEST_KEY}`],
    ['a line break after it', `${TEST_KEY}\n`],
    ['no characters', ''],
  ])('is malformed with %s, even if the checksum fits', (_, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});

describe('a generated key', () => {
  it('is well formed and holds its mode and 32 draws of 62 characters', () => {
    const draws = fc.array(fc.nat({ max: 61 }), { minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.constantFrom('test', 'live'), draws, (mode, drawn) => {
        const bounds: number[] = [];
        const key = generateApiKey(mode, (max) => drawn[bounds.push(max) - 1] ?? 0);
        expect(isWellFormedApiKey(key)).toBe(true);
        expect(modeOf(key)).toBe(mode);
        expect(key.slice(0, -6)).toBe(`cck_${mode}_${drawn.map((draw) => BASE62[draw]).join('')}`);
        expect(bounds).toStrictEqual(Array(32).fill(62));
      }),
    );
  });

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => generateApiKey('live'))).size).toBe(100);
  });
});

describe("a key's id", () => {
  it('is the SHA-256 of its text in hex', () => {
    expect(apiKeyId(TEST_KEY)).toBe('06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10');
    expect(apiKeyId(LIVE_KEY)).toBe('25bbc84e96311aad1ba246838ef294e2b91b446f50ae1e2ac3b5da26f4cff3f5');
  });

  it('differs among 10,000 keys in the digits that log lines have', () => {
    const beginnings = Array.from({ length: 10_000 }, (_, index) =>
      apiKeyId(`key ${index}`).slice(0, LOGGED_KEY_ID_DIGITS),
    );
    expect(new Set(beginnings).size).toBe(10_000);
  });
});
