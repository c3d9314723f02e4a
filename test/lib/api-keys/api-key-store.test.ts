import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { givenStoredBuckets, type StoredBuckets } from '../../support/bucket.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
const API_KEY = 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1U7t3Q';
const KEY_ID = '06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10';

let buckets: StoredBuckets;
beforeEach(async () => {
  buckets = await givenStoredBuckets();
});

const issue = (changes: object = {}) =>
  buckets.apiKeys.issue({
    secret: API_KEY,
    storeId: 'store-1',
    mode: 'test',
    limit: 7,
    windowSeconds: 60,
    nowMs: NOW_MS,
    ...changes,
  });

/** Everything in the table. */
const stored = async () =>
  (await buckets.documents.send(new ScanCommand({ TableName: buckets.tableName }))).Items;

const ITEM = {
  keyId: KEY_ID,
  storeId: 'store-1',
  mode: 'test',
  limit: 7,
  windowSeconds: 60,
  createdAtMs: NOW_MS,
  tatMicros: 0,
  emissionIntervalMicros: 8_571_429,
};

describe('an issued key', () => {
  it('is stored by its SHA-256, with a full bucket', async () => {
    expect(await issue()).toStrictEqual(ITEM);
    expect(await stored()).toStrictEqual([ITEM]);
  });

  it('keeps its label and locale', async () => {
    await issue({ label: 'Web shop', lang: 'fr-CA' });
    expect(await stored()).toStrictEqual([{ ...ITEM, label: 'Web shop', lang: 'fr-CA' }]);
  });

  it('has its text, or its secret, stored nowhere', async () => {
    const issued = await issue({ label: 'Web shop', lang: 'fr-CA' });
    for (const text of [JSON.stringify(issued), JSON.stringify(await stored())]) {
      expect(text).not.toContain('0123456789ABCDEFGHIJKLMNOPQRSTUV');
      expect(text).not.toContain('cck_');
      expect(text).not.toContain('1U7t3Q');
    }
  });

  it('cannot be issued again, and stays as it is', async () => {
    await issue();
    expect(await issue({ storeId: 'store-2', limit: 1_000 })).toBeUndefined();
    expect(await stored()).toStrictEqual([ITEM]);
  });

  it('cannot be issued again after its revocation', async () => {
    await issue();
    await buckets.apiKeys.revoke(KEY_ID, NOW_MS);
    expect(await issue()).toBeUndefined();
    expect(await stored()).toStrictEqual([{ ...ITEM, revokedAtMs: NOW_MS }]);
  });

  it('is issued once where many try at the same time', async () => {
    const issued = await Promise.all(Array.from({ length: 8 }, (_, i) => issue({ storeId: `store-${i}` })));
    expect(issued.filter((key) => key !== undefined)).toHaveLength(1);
    expect(await stored()).toStrictEqual(issued.filter((key) => key !== undefined));
  });
});

describe('a revocation', () => {
  it('keeps the time of the first', async () => {
    await issue();
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS + 5_000)).toBe('revoked');
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS + 9_000)).toBe('revoked');
    expect(await stored()).toStrictEqual([{ ...ITEM, revokedAtMs: NOW_MS + 5_000 }]);
  });

  it('of an unknown key says so and creates nothing', async () => {
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS)).toBe('unknown');
    expect(await stored()).toStrictEqual([]);
  });
});

describe('a database that fails', () => {
  it('is not taken for a key that exists or is unknown', async () => {
    buckets.documents.middlewareStack.add(() => () => Promise.reject(new Error('down')), {
      step: 'initialize',
    });
    await expect(issue()).rejects.toThrow('down');
    await expect(buckets.apiKeys.revoke(KEY_ID, NOW_MS)).rejects.toThrow('down');
  });
});
