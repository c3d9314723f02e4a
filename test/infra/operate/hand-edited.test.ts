import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { createTables, LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { expectSentence } from '../../support/expect-sentence.ts';
import { type Ended, operate, stopProcesses } from '../../support/processes.ts';

/** What a terminal would obey: ECMA-48 control sequences of both kinds, and a mark of direction. */
const ESCAPES = '\u001b[2J\u009b31m\u202e';
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}]/u;

const KEY_ID = 'a'.repeat(64);
const ESCAPING_KEY_ID = `key${ESCAPES}`;

const PRODUCT = { storeId: 'shop', name: 'Course', available: true, currency: 'EUR' };
const PRICED = { ...PRODUCT, pricing: { type: 'fixed', amount: 5 } };

let database: EmbeddedDynamodb;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  database = await startEmbeddedDynamodb({ data: 'memory' });
  documents = createDocumentClient(localClientConfig(database.endpoint));
  await createTables(documents);
});

afterAll(async () => {
  await stopProcesses();
  await database.close();
});

const putItem = (table: keyof typeof LOCAL_TABLE_NAMES, Item: Record<string, unknown>) =>
  documents.send(new PutCommand({ TableName: LOCAL_TABLE_NAMES[table], Item }));

const onDatabase = (...args: readonly string[]): Promise<Ended> =>
  operate(...args, '--dynamodb', database.endpoint);

describe('products that somebody edited by hand', () => {
  test('are listed as such where they are none, and hide no other product', async () => {
    await putItem('products', { ...PRICED, id: 'whole' });
    await putItem('products', { ...PRODUCT, id: 'unpriced' });

    const { exitCode, stdout, stderr } = await onDatabase('products', 'list');

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^whole +shop +Course +5 EUR +yes$/m);
    expect(stdout).toMatch(/^unpriced is stored in a shape that is no product's/m);
    const listed = await onDatabase('products', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toEqual({
      products: [{ ...PRICED, id: 'whole' }],
      unreadable: ['unpriced'],
    });
  });

  test('are shown without what a terminal would obey, in every column', async () => {
    const escaping = { storeId: `shop${ESCAPES}`, name: `name${ESCAPES}`, currency: `EUR${ESCAPES}` };
    await putItem('products', { ...PRICED, ...escaping, id: `id${ESCAPES}` });
    await putItem('products', { id: `bad${ESCAPES}` });

    const { stdout } = await onDatabase('products', 'list');

    expect(stdout).toMatch(/^id\S+ +shop\S+ +name\S+ +5 EUR\S+ +yes$/m);
    expect(stdout).toMatch(/^bad/m);
    expect(stdout).not.toMatch(OBEYED);
  });
});

describe('a key that somebody edited by hand into nonsense', () => {
  test.each([
    ['rotate', []],
    ['set-limit', ['--limit', '1', '--window', '1']],
  ])('is told in one sentence by keys %s', async (command, flags) => {
    await putItem('apiKeys', { keyId: KEY_ID, storeId: 'shop', mode: 'test', limit: 'many' });
    const ended = await onDatabase('keys', command, KEY_ID, ...flags, '--yes');
    expect(ended.exitCode).toBe(1);
    expectSentence(ended, /shape that is no key's.*Revoke it/);
  });

  test('can be revoked, but not without a question, since it may be a live one', async () => {
    await putItem('apiKeys', { keyId: KEY_ID, storeId: 'shop', limit: 'many' });

    const refused = await onDatabase('keys', 'revoke', KEY_ID);
    expect(refused.exitCode).toBe(2);
    expectSentence(refused, /--yes/);

    expect(await onDatabase('keys', 'revoke', KEY_ID, '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('hides no other key, even where its end is beyond all dates', async () => {
    const limits = { limit: 1, windowSeconds: 1, emissionIntervalMicros: 1_000_000, tatMicros: 0 };
    const endless = { storeId: 'shop', mode: 'test', ...limits, createdAtMs: 0, expiresAtMs: 9e15 };
    await putItem('apiKeys', { keyId: 'endless', ...endless });
    expect((await onDatabase('keys', 'list')).stdout).toMatch(
      /^endless +shop +test +active .* \+275760-09-13/m,
    );
  });

  test('is listed without what a terminal would obey', async () => {
    await putItem('apiKeys', { keyId: ESCAPING_KEY_ID, limit: 'many' });
    const { stdout } = await onDatabase('keys', 'list');
    expect(stdout).toMatch(/^key\S+ is stored in a shape that is no key's/m);
    expect(stdout).not.toMatch(OBEYED);
  });
});
