import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  IDEMPOTENCY_SECRET_IDS,
  type IdempotencySecretId,
  readOrCreateIdempotencySecret,
} from '../../../lib/idempotency/idempotency-secret.ts';
import { aroundCalls } from '../../support/database/client-calls.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';

/** Reads the secret by a client of its own, as each stage does. */
const read = (
  { newClient, tableNames }: TestDatabase,
  beforeWrite = () => Promise.resolve(),
  id: IdempotencySecretId = IDEMPOTENCY_SECRET_IDS.carts,
) => {
  const documents = newClient();
  aroundCalls(documents, async ({ operation, input }, next) => {
    if (operation === 'PutItem') await beforeWrite();
    return next(input);
  });
  return readOrCreateIdempotencySecret(documents, tableNames.secrets, id);
};

describe('the idempotency secret of a database', () => {
  it('is 32 random bytes that stay', async () => {
    const database = await givenDatabase();
    const secret = await read(database);
    expect(secret).toHaveLength(32);
    expect(Buffer.from(await read(database))).toStrictEqual(Buffer.from(secret));
    expect(Buffer.from(await read(await givenDatabase()))).not.toStrictEqual(Buffer.from(secret));
  });

  it('of endpoints is not that of carts', async () => {
    const database = await givenDatabase();
    const secrets = Object.values(IDEMPOTENCY_SECRET_IDS).map((id) => read(database, undefined, id));
    const hex = (await Promise.all(secrets)).map((secret) => Buffer.from(secret).toString('hex'));
    expect(new Set(hex).size).toBe(2);
  });

  it('is the same for stages that start at once, although each finds none and makes one', async () => {
    const database = await givenDatabase();
    const allRead = Promise.withResolvers<void>();
    let writers = 0;
    const secrets = await Promise.all(
      Array.from({ length: 16 }, () =>
        read(database, async () => {
          writers += 1;
          if (writers === 16) allRead.resolve();
          await allRead.promise;
        }),
      ),
    );
    expect(writers).toBe(16);
    const hex = secrets.map((secret) => Buffer.from(secret).toString('hex'));
    expect(new Set(hex).size).toBe(1);
    const { documents, tableNames } = database;
    const key = { TableName: tableNames.secrets, Key: { id: 'idempotent-cart-ids' } };
    const { Item } = await documents.send(new GetCommand({ ...key, ConsistentRead: true }));
    expect(Buffer.from(Item?.['secret'] as Uint8Array).toString('hex')).toBe(hex[0]);
  });

  it('is absent if it cannot be stored, so that no cart has an id of a secret that is lost', async () => {
    const database = await givenDatabase();
    await expect(read(database, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  });
});
