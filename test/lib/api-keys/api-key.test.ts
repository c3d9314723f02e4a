import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey, isWellFormedApiKey, withChecksum } from '../../../lib/api-keys/api-key.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// The checksums come from Python's zlib.crc32, in base 62 by hand.
const TEST_KEY = 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1U7t3Q';
const LIVE_KEY = 'cck_live_zyxwvutsrqponmlkjihgfedcbaZYXWVU3zMs4J';
const KEY_OF_SMALL_CHECKSUM = 'cck_test_00000000000000000000000000Bff13r00009E';

const secret = fc.string({ unit: fc.constantFrom(...BASE62.split('')), minLength: 32, maxLength: 32 });
const key = fc
  .tuple(fc.constantFrom('test', 'live'), secret)
  .map(([mode, text]) => withChecksum(`cck_${mode}_${text}`));

describe('a well-formed key', () => {
  it('is its mode, 32 base62 characters and the CRC32 of both in 6 base62 digits', () => {
    for (const wellFormed of [TEST_KEY, LIVE_KEY, KEY_OF_SMALL_CHECKSUM]) {
      expect(isWellFormedApiKey(wellFormed)).toBe(true);
      expect(withChecksum(wellFormed.slice(0, -6))).toBe(wellFormed);
    }
  });

  it('is no longer one after any change of a single character', () => {
    const change = fc.tuple(key, fc.nat({ max: 46 }), fc.constantFrom(...`${BASE62}_- é`.split('')));
    fc.assert(
      fc.property(change, ([wellFormed, index, character]) => {
        fc.pre(wellFormed[index] !== character);
        const changed = wellFormed.slice(0, index) + character + wellFormed.slice(index + 1);
        expect(isWellFormedApiKey(changed)).toBe(false);
      }),
    );
  });

  it('is no longer one after two neighbours changed places', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 45 }), (wellFormed, index) => {
        const [first, second] = wellFormed.slice(index, index + 2);
        fc.pre(first !== second);
        const swapped = `${wellFormed.slice(0, index)}${second}${first}${wellFormed.slice(index + 2)}`;
        expect(isWellFormedApiKey(swapped)).toBe(false);
      }),
    );
  });

  it.each([
    ['the checksum of another key', `${TEST_KEY.slice(0, -6)}3zMs4J`],
    ['the mode of another key', TEST_KEY.replace('test', 'live')],
    ['an unknown mode, with its right checksum', 'cck_prod_0123456789ABCDEFGHIJKLMNOPQRSTUV376Ieb'],
    ['31 characters, with their right checksum', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTU4RcLrN'],
    ['33 characters, with their right checksum', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUVW0HRy9x'],
    ['a dash, with its right checksum', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRST-V3LWBuQ'],
    ['a prefix in capitals, with its right checksum', 'CCK_TEST_0123456789ABCDEFGHIJKLMNOPQRSTUV3MupeE'],
    ['a letter before, with its right checksum', withChecksum(`x${TEST_KEY.slice(0, -6)}`)],
    ['no checksum', 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV'],
    ['a space before', ` ${TEST_KEY}`],
    ['a line break after', `${TEST_KEY}\n`],
    ['nothing', ''],
  ])('is none with %s', (_, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});

describe('a generated key', () => {
  it('is well formed and says its mode, whatever is drawn', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<'test' | 'live'>('test', 'live'),
        fc.array(fc.nat({ max: 61 }), { minLength: 32, maxLength: 32 }),
        (mode, draws) => {
          let drawn = 0;
          const generated = generateApiKey(mode, () => draws[drawn++] ?? 0);
          expect(isWellFormedApiKey(generated)).toBe(true);
          expect(generated.slice(0, 9)).toBe(`cck_${mode}_`);
          expect(generated.slice(9, 41)).toBe(draws.map((draw) => BASE62[draw]).join(''));
        },
      ),
    );
  });

  it('draws 32 times from all of 62 characters', () => {
    const bounds: number[] = [];
    generateApiKey('test', (max) => {
      bounds.push(max);
      return 0;
    });
    expect(bounds).toStrictEqual(Array(32).fill(62));
  });

  it('draws anew each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => generateApiKey('live'))).size).toBe(100);
  });
});

describe("a key's id", () => {
  it('is the SHA-256 of its text in hex', () => {
    expect(apiKeyId(TEST_KEY)).toBe('06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10');
    expect(apiKeyId(LIVE_KEY)).toBe('25bbc84e96311aad1ba246838ef294e2b91b446f50ae1e2ac3b5da26f4cff3f5');
  });
});
