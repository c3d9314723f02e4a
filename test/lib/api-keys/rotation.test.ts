import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { rotateKey, type RotationRequest } from '../../../lib/api-keys/rotation.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { givenStoredBuckets, type StoredBuckets } from '../../support/bucket.ts';
import { loseResponses } from '../../support/lost-responses.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
const OVERLAP_MS = 3_600_000;
const GIVEN = {
  storeId: 'shop',
  mode: 'live',
  limit: 7,
  windowSeconds: 30,
  lang: 'fr-CA',
  label: 'Web shop',
} as const;

let buckets: StoredBuckets;
let old: StoredApiKey;
beforeEach(async () => {
  buckets = await givenStoredBuckets();
  old = await buckets.apiKeys.issue({ secret: generateApiKey('live'), ...GIVEN, nowMs: NOW_MS - 1_000 });
});

const rotate = (changes: Partial<RotationRequest> = {}, apiKeys: ApiKeyStore = buckets.apiKeys) =>
  rotateKey(apiKeys, old.keyId, {
    secret: generateApiKey('live'),
    overlapMs: OVERLAP_MS,
    nowMs: NOW_MS,
    ...changes,
  });

const outcomeAt = async (keyId: string, nowMs: number) =>
  (await buckets.bucket.take({ keyId, now: () => nowMs })).outcome;

const stored = async (): Promise<readonly (StoredApiKey | undefined)[]> =>
  (await buckets.apiKeys.list()).map(({ key }) => key);

describe('a rotation', () => {
  it('issues a key with all that the old one was given, and a full bucket', async () => {
    await buckets.bucket.take({ keyId: old.keyId, now: () => NOW_MS });
    const secret = generateApiKey('live');

    const rotation = await rotate({ secret });

    const newKey = {
      keyId: apiKeyId(secret),
      ...GIVEN,
      createdAtMs: NOW_MS,
      tatMicros: 0,
      emissionIntervalMicros: 4_285_715,
    };
    expect(rotation).toMatchObject({ outcome: 'rotated', newKey, oldEndsAtMs: NOW_MS + OVERLAP_MS });
    expect(await stored()).toContainEqual(newKey);
  });

  it('lets both keys work during the overlap, and the new one alone after it', async () => {
    const secret = generateApiKey('live');
    await rotate({ secret });

    const outcomes = [];
    for (const nowMs of [NOW_MS, NOW_MS + OVERLAP_MS - 1, NOW_MS + OVERLAP_MS]) {
      outcomes.push([await outcomeAt(old.keyId, nowMs), await outcomeAt(apiKeyId(secret), nowMs)]);
    }

    expect(outcomes).toStrictEqual([
      ['taken', 'taken'],
      ['taken', 'taken'],
      ['unusable', 'taken'],
    ]);
  });

  it('without overlap ends the old key at once', async () => {
    await rotate({ overlapMs: 0 });
    expect(await outcomeAt(old.keyId, NOW_MS)).toBe('unusable');
  });

  it('does not lengthen a key that ends within the overlap', async () => {
    await buckets.change({ secret: '', keyId: old.keyId }, { expiresAtMs: NOW_MS + 5 });
    expect(await rotate()).toMatchObject({ outcome: 'rotated', oldEndsAtMs: NOW_MS + 5 });
  });

  it('does not pass the end of the old key on; the new one ends when it is told to', async () => {
    await buckets.change({ secret: '', keyId: old.keyId }, { expiresAtMs: NOW_MS + 9 * OVERLAP_MS });
    expect(await rotate()).not.toHaveProperty('newKey.expiresAtMs', expect.anything());
    expect(await rotate({ expiresAtMs: NOW_MS + 7 })).toMatchObject({ newKey: { expiresAtMs: NOW_MS + 7 } });
  });

  it.each<[string, Partial<StoredApiKey>]>([
    ['revoked', { revokedAtMs: NOW_MS - 5 }],
    ['expired', { expiresAtMs: NOW_MS }],
  ])('of a key that is %s issues none', async (_what, changes) => {
    await buckets.change({ secret: '', keyId: old.keyId }, changes);
    expect(await rotate()).toStrictEqual({ outcome: 'unusable' });
    expect(await stored()).toHaveLength(1);
  });

  it('of an unknown key issues none', async () => {
    old = { ...old, keyId: '0'.repeat(64) };
    expect(await rotate()).toStrictEqual({ outcome: 'unusable' });
    expect(await stored()).toHaveLength(1);
  });

  it('gives the limits that the old key has at that moment', async () => {
    await buckets.changeLimits({ secret: '', keyId: old.keyId }, { limit: 3, windowSeconds: 9 });
    expect(await rotate()).toMatchObject({ newKey: { limit: 3, windowSeconds: 9 } });
  });

  it('of a key that is revoked meanwhile leaves no usable key behind', async () => {
    const revoking: ApiKeyStore = {
      ...buckets.apiKeys,
      async issue(key) {
        await buckets.apiKeys.revoke(old.keyId, NOW_MS);
        return buckets.apiKeys.issue(key);
      },
    };

    expect(await rotate({}, revoking)).toStrictEqual({ outcome: 'unusable' });

    expect((await stored()).map((key) => key?.revokedAtMs)).toStrictEqual([NOW_MS, NOW_MS]);
  });
});

describe('a rotation leaves the store with a key that works', () => {
  /** Of the keys that the database has now: whose take a token. */
  const usable = async (): Promise<string[]> => {
    const keyIds = (await stored()).map((key) => key?.keyId ?? '');
    const outcomes = await Promise.all(keyIds.map((keyId) => outcomeAt(keyId, NOW_MS + OVERLAP_MS)));
    return keyIds.filter((_, i) => outcomes[i] === 'taken');
  };

  it.each([0, OVERLAP_MS])(
    'where the answer to the old end was lost once, after an overlap of %d ms',
    async (overlapMs) => {
      const secret = generateApiKey('live');
      const losing: ApiKeyStore = {
        ...buckets.apiKeys,
        endAt(...asked) {
          loseResponses(buckets.documents, 1);
          return buckets.apiKeys.endAt(...asked);
        },
      };

      const rotation = await rotate({ secret, overlapMs }, losing);

      expect(rotation).toMatchObject({ outcome: 'rotated', oldEndsAtMs: NOW_MS + overlapMs });
      expect(await usable()).toStrictEqual([apiKeyId(secret)]);
    },
  );

  it.each([0, OVERLAP_MS])(
    'where every answer to it was lost, after an overlap of %d ms; whether the old one ends is unknown',
    async (overlapMs) => {
      const secret = generateApiKey('live');
      const losing: ApiKeyStore = {
        ...buckets.apiKeys,
        endAt(...asked) {
          loseResponses(buckets.documents, Infinity);
          return buckets.apiKeys.endAt(...asked);
        },
      };

      const rotation = await rotate({ secret, overlapMs }, losing);

      expect(rotation).toMatchObject({ outcome: 'endUnknown', newKey: { keyId: apiKeyId(secret) } });
      expect(rotation).toHaveProperty('error.message', 'socket hang up');
      expect((await stored()).find((key) => key?.keyId === apiKeyId(secret))).not.toHaveProperty(
        'revokedAtMs',
      );
      expect(await buckets.stored({ secret: '', keyId: old.keyId })).toMatchObject({
        expiresAtMs: NOW_MS + overlapMs,
      });
    },
  );

  it('where the old end could not be written', async () => {
    const failing = { ...buckets.apiKeys, endAt: () => Promise.reject(new Error('down')) };
    expect(await rotate({}, failing)).toMatchObject({ outcome: 'endUnknown', newKey: GIVEN });
    expect(await usable()).toHaveLength(2);
  });

  it('where the answer to the new key was lost', async () => {
    const secret = generateApiKey('live');
    loseResponses(buckets.documents, 1);
    expect(await rotate({ secret })).toMatchObject({ outcome: 'rotated' });
    expect(await usable()).toStrictEqual([apiKeyId(secret)]);
  });
});
