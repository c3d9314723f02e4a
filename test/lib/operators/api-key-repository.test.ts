import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { NOW_MS } from '../../support/clock.ts';
import { beforeCalls } from '../../support/database/client-calls.ts';
import { loseResponses } from '../../support/database/lose-responses.ts';
import { givenStoredBuckets, type StoredBuckets } from '../../support/domain/bucket.ts';

const API_KEY = 'cck_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1U7t3Q';
const KEY_ID = '06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10';
const GIVEN = { storeId: 'store-1', mode: 'test', limit: 7, windowSeconds: 60 } as const;
const ITEM = {
  keyId: KEY_ID,
  ...GIVEN,
  createdAtMs: NOW_MS,
  tatMicros: 0,
  emissionIntervalMicros: 8_571_429,
};

let buckets: StoredBuckets;
beforeEach(async () => {
  buckets = await givenStoredBuckets();
});

const issue = (changes: object = {}) =>
  buckets.apiKeys.issue({ keyText: API_KEY, ...GIVEN, nowMs: NOW_MS, ...changes });

/** Every item in the table. */
const stored = async () =>
  (await buckets.documents.send(new ScanCommand({ TableName: buckets.tableName }))).Items;

describe('an issued key', () => {
  it('is stored by its SHA-256 with a full bucket, its label and its locale, but never its text', async () => {
    const key = { ...ITEM, label: 'Web shop', lang: 'fr-CA' };
    expect(await issue({ label: 'Web shop', lang: 'fr-CA' })).toStrictEqual(key);
    expect(await stored()).toStrictEqual([key]);
  });

  it('stays as it is if it is issued again, also after its revocation', async () => {
    await issue();
    await issue({ storeId: 'store-2', limit: 1_000 });
    expect(await stored()).toStrictEqual([ITEM]);
    await buckets.apiKeys.revoke(KEY_ID, NOW_MS);
    await issue();
    expect(await stored()).toStrictEqual([{ ...ITEM, revokedAtMs: NOW_MS }]);
  });

  it('is issued if the response is lost and the SDK repeats the write', async () => {
    loseResponses(buckets.documents, 1);
    expect(await issue()).toStrictEqual(ITEM);
    expect(await stored()).toStrictEqual([ITEM]);
  });
});

describe('a key', () => {
  it('is found and listed as it is stored', async () => {
    expect(await buckets.apiKeys.find(KEY_ID)).toBeUndefined();
    expect(await buckets.apiKeys.list()).toStrictEqual([]);
    await issue({ expiresAtMs: NOW_MS + 5 });
    const found = { keyId: KEY_ID, key: { ...ITEM, expiresAtMs: NOW_MS + 5 } };
    expect(await buckets.apiKeys.find(KEY_ID)).toStrictEqual(found);
    expect(await buckets.apiKeys.list()).toStrictEqual([found]);
  });

  it('with an invalid item is found and listed by its id, and can be revoked', async () => {
    await issue();
    await buckets.change({ keyText: API_KEY, keyId: KEY_ID }, { limit: 0 });
    const found = { keyId: KEY_ID, key: undefined };
    expect(await buckets.apiKeys.find(KEY_ID)).toStrictEqual(found);
    expect(await buckets.apiKeys.list()).toStrictEqual([found]);
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS)).toBe('revoked');
    expect(await stored()).toStrictEqual([{ ...ITEM, limit: 0, revokedAtMs: NOW_MS }]);
  });

  it('is found and listed, from every page, by consistent reads', async () => {
    const inputs: object[] = [];
    beforeCalls(buckets.documents, (input) => !('Item' in input) && inputs.push(input));
    // DynamoDB ends a page at 1 MB.
    const label = 'x'.repeat(350_000);
    const keyTexts = Array.from({ length: 4 }, () => generateApiKey('test'));
    for (const keyText of keyTexts) await issue({ keyText, label });

    await buckets.apiKeys.find(KEY_ID);
    const listed = await buckets.apiKeys.list();

    expect(listed.map(({ keyId }) => keyId).toSorted()).toStrictEqual(keyTexts.map(apiKeyId).toSorted());
    // The emulator cannot show the difference.
    expect(inputs).toMatchObject(Array.from({ length: 3 }, () => ({ ConsistentRead: true })));
  });

  it('keeps the time of its first revocation, and is not created by one', async () => {
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS)).toBe('unknown');
    expect(await stored()).toStrictEqual([]);
    await issue();
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS + 5_000)).toBe('revoked');
    expect(await buckets.apiKeys.revoke(KEY_ID, NOW_MS + 9_000)).toBe('revoked');
    expect(await stored()).toStrictEqual([{ ...ITEM, revokedAtMs: NOW_MS + 5_000 }]);
  });
});

it('a failure of the database is thrown, not taken for an existing or unknown key', async () => {
  beforeCalls(buckets.documents, () => Promise.reject(new Error('down')));
  await expect(issue()).rejects.toThrow('down');
  await expect(buckets.apiKeys.revoke(KEY_ID, NOW_MS)).rejects.toThrow('down');
});
