import { describe, expect, it } from 'vitest';
import { toStoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';

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

describe('a stored key', () => {
  it('is read as it is, with all or none of what is optional', () => {
    const full = { ...KEY, label: 'Shop', lang: 'fr-CA', expiresAtMs: 1, revokedAtMs: 2 };
    expect(toStoredApiKey(KEY)).toStrictEqual(KEY);
    expect(toStoredApiKey(full)).toStrictEqual(full);
  });

  it.each(Object.keys(KEY))('is none without its %s', (name) => {
    expect(() => toStoredApiKey({ ...KEY, [name]: undefined })).toThrow(
      'An API key is stored in a shape that is not its own',
    );
  });

  it.each([
    ['mode', 'prod'],
    ['limit', 0],
    ['limit', -1],
    ['limit', 1.5],
    ['limit', '60'],
    ['windowSeconds', 0],
    ['windowSeconds', 0.5],
    ['emissionIntervalMicros', 0],
    ['tatMicros', -1],
    ['tatMicros', 0.5],
    ['tatMicros', Number.NaN],
    ['tatMicros', null],
    ['expiresAtMs', 'tomorrow'],
    ['revokedAtMs', true],
  ])('is none with %s %j, and the value is not repeated', (name, value) => {
    const message = 'An API key is stored in a shape that is not its own';
    expect(() => toStoredApiKey({ ...KEY, [name]: value })).toThrow(new Error(message));
  });

  it('is none where there is no item', () => {
    expect(() => toStoredApiKey(undefined)).toThrow(Error);
  });
});
