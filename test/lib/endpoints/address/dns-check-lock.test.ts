import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../../lib/api-keys/authenticator.ts';
import { createDnsCheckLock } from '../../../../lib/endpoints/address/dns-check-lock.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { aroundCalls } from '../../../support/database/client-calls.ts';
import { givenStoredBuckets } from '../../../support/domain/bucket.ts';
import { ITEM_THROTTLES, TABLE_THROTTLES } from '../../../support/service/faulty-service.ts';

const LIMITS = { limit: 60, windowSeconds: 60 };
const { signal } = new AbortController();

const buckets = await givenStoredBuckets();
const lock = createDnsCheckLock(buckets.documents, buckets.tableName);

const givenKeyId = async (): Promise<string> => (await buckets.givenKey(LIMITS)).keyId;

const acquire = (keyId: string, nowMs = NOW_MS) => lock.acquire(keyId, nowMs, signal);

const runs = async (keyId: string, nowMs = NOW_MS): Promise<boolean> =>
  (await acquire(keyId, nowMs)) === undefined;

describe('the check of an API key', () => {
  it('runs once if several begin at the same time, and does not affect other keys', async () => {
    const keyId = await givenKeyId();
    const begun = await Promise.all(Array.from({ length: 20 }, () => acquire(keyId)));
    expect(begun.filter((end) => end !== undefined)).toHaveLength(1);
    expect(await runs(await givenKeyId())).toBe(false);
  });

  it('ends when it is released', async () => {
    const keyId = await givenKeyId();
    const end = await acquire(keyId);
    expect(await runs(keyId)).toBe(true);
    await end?.();
    expect(await runs(keyId)).toBe(false);
  });

  it('ends by itself after 3 s, and its release then leaves the next one running', async () => {
    const keyId = await givenKeyId();
    const lateEnd = await acquire(keyId);
    expect(await runs(keyId, NOW_MS + 2_999)).toBe(true);
    expect(await runs(keyId, NOW_MS + 3_000)).toBe(false);
    await lateEnd?.();
    expect(await runs(keyId, NOW_MS + 3_000)).toBe(true);
  });

  it('leaves the key and its bucket as they are', async () => {
    const key = await buckets.givenKey(LIMITS);
    const before = await buckets.stored(key);
    const end = await acquire(key.keyId);
    const admission = await createAuthenticator(buckets.bucket).authenticate(key.keyId, () => NOW_MS);
    expect(admission).toMatchObject({ outcome: 'authenticated', rateLimit: { remaining: 59 } });
    await end?.();
    expect(await buckets.stored(key)).toMatchObject({ ...before, tatMicros: expect.any(Number) });
    expect(await buckets.stored(key)).not.toHaveProperty('dnsCheckUntilMs');
  });

  it('does not begin for an unknown key, and stores none', async () => {
    const unknown = { keyText: '', keyId: '0'.repeat(64) };
    expect(await runs(unknown.keyId)).toBe(true);
    expect(await buckets.stored(unknown)).toBeUndefined();
  });
});

describe('a database that throttles', () => {
  const givenChecks = async (fault: () => Error) => {
    const own = await givenStoredBuckets();
    const { keyId } = await own.givenKey(LIMITS);
    let fails = false;
    aroundCalls(own.documents, ({ input }, next) => (fails ? Promise.reject(fault()) : next(input)));
    return {
      acquire: () => createDnsCheckLock(own.documents, own.tableName).acquire(keyId, NOW_MS, signal),
      fail: () => void (fails = true),
    };
  };

  it.each(Object.entries(ITEM_THROTTLES))(
    'the item of the key alone counts as a running check: %s',
    async (_, fault) => {
      const broken = await givenChecks(fault);
      broken.fail();
      expect(await broken.acquire()).toBeUndefined();
    },
  );

  it.each(Object.entries(TABLE_THROTTLES))('the table rejects the beginning: %s', async (_, fault) => {
    const broken = await givenChecks(fault);
    broken.fail();
    await expect(broken.acquire()).rejects.toThrow(fault().message);
  });

  it('fails no check that ends', async () => {
    const broken = await givenChecks(TABLE_THROTTLES['throttled table']);
    const end = await broken.acquire();
    broken.fail();
    await expect(end?.()).resolves.toBeUndefined();
  });
});
