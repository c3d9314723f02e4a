import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { givenStoredBuckets, type StoredBuckets } from '../../support/bucket.ts';
import { loseResponses } from '../../support/lost-responses.ts';

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
    await issue({ storeId: 'store-2', limit: 1_000 });
    expect(await stored()).toStrictEqual([ITEM]);
  });

  it('cannot be issued again after its revocation', async () => {
    await issue();
    await buckets.apiKeys.revoke(KEY_ID, NOW_MS);
    await issue();
    expect(await stored()).toStrictEqual([{ ...ITEM, revokedAtMs: NOW_MS }]);
  });

  it('is issued once where many try at the same time', async () => {
    const issued = await Promise.all(Array.from({ length: 8 }, (_, i) => issue({ storeId: `store-${i}` })));
    const [item, ...others] = (await stored()) ?? [];
    expect(others).toStrictEqual([]);
    expect(issued).toContainEqual(item);
  });

  it('is told as issued where the answer was lost and the SDK repeated the write', async () => {
    loseResponses(buckets.documents, 1);
    expect(await issue()).toStrictEqual(ITEM);
    expect(await stored()).toStrictEqual([ITEM]);
  });
});

describe('the list of keys', () => {
  it('tells every key as it is stored', async () => {
    expect(await buckets.apiKeys.list()).toStrictEqual([]);
    await issue();
    expect(await buckets.apiKeys.list()).toStrictEqual([{ keyId: KEY_ID, key: ITEM }]);
  });

  it('is read to the end of a table of more than one page', async () => {
    // DynamoDB ends a page at 1 MB.
    const label = 'x'.repeat(100_000);
    const secrets = Array.from({ length: 25 }, () => generateApiKey('test'));
    for (const secret of secrets) await issue({ secret, label });

    const listed = await buckets.apiKeys.list();

    expect(listed.map(({ keyId }) => keyId).toSorted()).toStrictEqual(secrets.map(apiKeyId).toSorted());
  });

  it('is read as it stands, which the emulator cannot tell from as it stood', async () => {
    const inputs: object[] = [];
    buckets.documents.middlewareStack.add(
      (next) => (call) => {
        inputs.push(call.input);
        return next(call);
      },
      { step: 'initialize', name: 'inputs' },
    );
    await buckets.apiKeys.list();
    expect(inputs).toMatchObject([{ ConsistentRead: true }]);
  });

  it('names a key that somebody edited into nonsense', async () => {
    await issue();
    await buckets.change({ secret: API_KEY, keyId: KEY_ID }, { limit: 0 });
    expect(await buckets.apiKeys.list()).toStrictEqual([{ keyId: KEY_ID, key: undefined }]);
  });
});

describe('a key', () => {
  it('is found by its id as it is stored', async () => {
    await issue({ expiresAtMs: NOW_MS + 5 });
    const key = { ...ITEM, expiresAtMs: NOW_MS + 5 };
    expect(await buckets.apiKeys.find(KEY_ID)).toStrictEqual({ keyId: KEY_ID, key });
  });

  it('that somebody edited into nonsense is found by its id alone', async () => {
    await issue();
    await buckets.change({ secret: API_KEY, keyId: KEY_ID }, { limit: 0 });
    expect(await buckets.apiKeys.find(KEY_ID)).toStrictEqual({ keyId: KEY_ID, key: undefined });
  });

  it('that is unknown is not found', async () => {
    expect(await buckets.apiKeys.find(KEY_ID)).toBeUndefined();
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
