import { describe, expect, it } from 'vitest';
import { requireStoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';

const KEY = {
  keyId: '06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10',
  storeId: 'store-1',
  mode: 'test',
  limit: 60,
  windowSeconds: 60,
  createdAtMs: 1_768_480_200_250,
  tatMicros: 1_768_480_200_250_000,
  emissionIntervalMicros: 1_000_000,
};

describe('the item of a key', () => {
  it('is read as it is, with all or none of the optional attributes', () => {
    const full = { ...KEY, label: 'Shop', lang: 'fr-CA', expiresAtMs: 1, revokedAtMs: 2 };
    expect(requireStoredApiKey(KEY)).toStrictEqual(KEY);
    expect(requireStoredApiKey(full)).toStrictEqual(full);
  });

  const wrong = {
    mode: ['prod'],
    limit: [0, -1, 1.5, '60'],
    windowSeconds: [0, 0.5],
    emissionIntervalMicros: [0],
    tatMicros: [-1, 0.5, Number.NaN, null],
    expiresAtMs: ['tomorrow'],
    revokedAtMs: [true],
  };
  it.each([
    ...Object.keys(KEY).map((name) => [name, undefined] as const),
    ...Object.entries(wrong).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ])('is invalid with %s %j, and the error does not contain the value', (name, value) => {
    const error = new Error('The item of an API key in DynamoDB is invalid');
    expect(() => requireStoredApiKey({ ...KEY, [name]: value })).toThrow(error);
  });

  it('is invalid if it is missing', () => {
    expect(() => requireStoredApiKey(undefined)).toThrow(Error);
  });
});
