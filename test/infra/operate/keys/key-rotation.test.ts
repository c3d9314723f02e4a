import { beforeEach, describe, expect, it } from 'vitest';
import { rotateKey, type RotationRequest } from '../../../../infra/operate/keys/key-rotation.ts';
import { apiKeyId, generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import type { StoredApiKey } from '../../../../lib/api-keys/stored-api-key.ts';
import type { ApiKeyRepository } from '../../../../lib/operators/api-key-repository.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { loseResponses } from '../../../support/database/lose-responses.ts';
import { type GivenKey, givenStoredBuckets, type StoredBuckets } from '../../../support/domain/bucket.ts';

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
let old: GivenKey;
let keyText: string;
let newKeyId: string;
beforeEach(async () => {
  buckets = await givenStoredBuckets();
  const oldKeyText = generateApiKey('live');
  await buckets.apiKeys.issue({ keyText: oldKeyText, ...GIVEN, nowMs: NOW_MS - 1_000 });
  old = { keyText: oldKeyText, keyId: apiKeyId(oldKeyText) };
  keyText = generateApiKey('live');
  newKeyId = apiKeyId(keyText);
});

const rotate = (changes: Partial<RotationRequest> = {}, apiKeys: Partial<ApiKeyRepository> = {}) =>
  rotateKey({ ...buckets.apiKeys, ...apiKeys }, old.keyId, {
    keyText,
    overlapMs: OVERLAP_MS,
    nowMs: NOW_MS,
    ...changes,
  });

/** The outcomes of the old and the new key when each takes a token at a time. */
const outcomesAt = async (nowMs: number) => {
  const take = async (keyId: string) => (await buckets.bucket.take({ keyId, now: () => nowMs })).outcome;
  return [await take(old.keyId), await take(newKeyId)];
};

describe('a rotation', () => {
  it('issues a key with all settings of the old one, and a full bucket', async () => {
    await buckets.bucket.take({ keyId: old.keyId, now: () => NOW_MS });
    await buckets.change(old, { expiresAtMs: NOW_MS + 9 * OVERLAP_MS });
    const newKey = {
      keyId: newKeyId,
      ...GIVEN,
      createdAtMs: NOW_MS,
      tatMicros: 0,
      emissionIntervalMicros: 4_285_715,
    };
    const oldEndsAtMs = NOW_MS + OVERLAP_MS;
    expect(await rotate()).toEqual({ outcome: 'rotated', newKey, oldEndsAtMs });
    expect(await buckets.stored({ keyText, keyId: newKeyId })).toStrictEqual(newKey);
  });

  it('lets both keys work during the overlap, and only the new one after it', async () => {
    await rotate();
    expect(await outcomesAt(NOW_MS)).toStrictEqual(['taken', 'taken']);
    expect(await outcomesAt(NOW_MS + OVERLAP_MS - 1)).toStrictEqual(['taken', 'taken']);
    expect(await outcomesAt(NOW_MS + OVERLAP_MS)).toStrictEqual(['unknown', 'taken']);
  });

  it('does not lengthen a key that ends within the overlap, and gives the new one its own end', async () => {
    await buckets.change(old, { expiresAtMs: NOW_MS + 5 });
    const newKey = { expiresAtMs: NOW_MS + 7 };
    expect(await rotate(newKey)).toMatchObject({ outcome: 'rotated', newKey, oldEndsAtMs: NOW_MS + 5 });
  });

  it.each<[string, Partial<StoredApiKey> | undefined]>([
    ['revoked', { revokedAtMs: NOW_MS - 5 }],
    ['expired', { expiresAtMs: NOW_MS }],
    ['invalid', { limit: 0 }],
    ['unknown', undefined],
  ])('of a key that is %s issues none', async (_, changes) => {
    if (changes) await buckets.change(old, changes);
    else old = { ...old, keyId: '0'.repeat(64) };
    expect(await rotate()).toStrictEqual({ outcome: 'unusable' });
    expect(await buckets.apiKeys.list()).toHaveLength(1);
  });

  it('of a key that is revoked meanwhile leaves no usable key', async () => {
    const issue: ApiKeyRepository['issue'] = async (key) => {
      await buckets.apiKeys.revoke(old.keyId, NOW_MS);
      return buckets.apiKeys.issue(key);
    };
    expect(await rotate({}, { issue })).toStrictEqual({ outcome: 'unusable' });
    const keys = await buckets.apiKeys.list();
    expect(keys.map(({ key }) => key?.revokedAtMs)).toStrictEqual([NOW_MS, NOW_MS]);
  });
});

describe('a rotation leaves the store with a key that works', () => {
  /** Loses responses to the old key's end. */
  const losing = (count: number): Partial<ApiKeyRepository> => ({
    endAt(...request) {
      loseResponses(buckets.documents, count);
      return buckets.apiKeys.endAt(...request);
    },
  });

  it.each([0, OVERLAP_MS])('if one response to the end is lost, with %d ms of overlap', async (overlapMs) => {
    const oldEndsAtMs = NOW_MS + overlapMs;
    expect(await rotate({ overlapMs }, losing(1))).toMatchObject({ outcome: 'rotated', oldEndsAtMs });
    expect(await outcomesAt(oldEndsAtMs)).toStrictEqual(['unknown', 'taken']);
  });

  it.each([0, OVERLAP_MS])('if all are lost, with %d ms: the end is unconfirmed', async (overlapMs) => {
    const rotation = await rotate({ overlapMs }, losing(Number.POSITIVE_INFINITY));
    expect(rotation).toMatchObject({ outcome: 'endUnknown', newKey: { keyId: newKeyId } });
    expect(rotation).toHaveProperty('error.message', 'socket hang up');
    expect(await buckets.stored({ keyText, keyId: newKeyId })).not.toHaveProperty('revokedAtMs');
    expect(await buckets.stored(old)).toMatchObject({ expiresAtMs: NOW_MS + overlapMs });
  });
});
