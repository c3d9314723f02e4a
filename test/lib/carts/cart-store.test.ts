import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CartStore, createCartStore } from '../../../lib/carts/cart-store.ts';
import { type Cart, newCart } from '../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';
import { BUYER } from '../../support/secrets.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

let database: TestDatabase;
let carts: CartStore;
beforeAll(async () => {
  database = await givenDatabase();
  carts = createCartStore(database.documents, database.tableNames.carts);
});

const draft = (changes: Partial<Cart> = {}): Cart => ({
  ...newCart(
    {
      id: randomUUID(),
      storeId: 'store-1',
      mode: 'test',
      customerInfo: { ...BUYER },
      productId: 'course',
      productName: 'Course',
      price: { amount: 19.99, currency: 'EUR' },
      meta: {},
      requestFingerprint: 'fingerprint',
      nowMs: NOW_MS,
    },
    { expirySeconds: 1_800, retentionSeconds: 86_400 },
  ),
  ...changes,
});

describe('a created cart', () => {
  it('is found as it was created', async () => {
    const cart = draft({ redirectUrl: 'https://example.com/{CART_ID}', meta: { order: 'A-1' } });
    expect(await carts.create(cart)).toStrictEqual({ outcome: 'created', cart });
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  it('is found without what was not given, not with nothing in its place', async () => {
    const { firstName, lastName, email } = BUYER;
    const customerInfo = { firstName, lastName, email, phone: undefined, lang: undefined };
    const cart = draft({ customerInfo, redirectUrl: undefined });
    await carts.create(cart);
    const found = await carts.find(cart.id);
    expect(found?.customerInfo).toStrictEqual({ firstName, lastName, email });
    expect(found).not.toHaveProperty('redirectUrl');
  });

  it.each([0.01, 19.99, 0.1 + 0.2, 1_000_000_000_000.01, 9_007_199_254_740_991])(
    'keeps its price to the last digit: %f',
    async (amount) => {
      const cart = draft({ price: { amount, currency: 'EUR' } });
      await carts.create(cart);
      expect((await carts.find(cart.id))?.price.amount).toBe(amount);
    },
  );
});

describe('a cart whose id is taken', () => {
  it('is answered by the one that was there first, which stays as it is', async () => {
    const first = draft({ meta: { constructor: 'a', ключ: 'б' } });
    await carts.create(first);
    const second = draft({ id: first.id, storeId: 'store-2', meta: {} });
    expect(await carts.create(second)).toStrictEqual({ outcome: 'exists', cart: first });
    expect(await carts.find(first.id)).toStrictEqual(first);
  });

  it('is created once where many try at the same time, and all learn which', async () => {
    const id = randomUUID();
    const drafts = Array.from({ length: 8 }, (_, index) => draft({ id, meta: { index: String(index) } }));
    const results = await Promise.all(drafts.map((cart) => carts.create(cart)));
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const winner = await carts.find(id);
    expect(winner).toBeDefined();
    for (const { cart } of results) expect(cart).toStrictEqual(winner);
  });

  it('is a failure where the database does not tell that one', async () => {
    const documents = createDocumentClient({ region: 'local' });
    const taken = new ConditionalCheckFailedException({ message: 'taken', $metadata: {} });
    mockClient(documents).on(PutCommand).rejects(taken);
    await expect(createCartStore(documents, 'carts').create(draft())).rejects.toBe(taken);
  });
});

describe('meta', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['an empty value', { a: '' }],
    [
      'names of JavaScript',
      { constructor: 'a', hasOwnProperty: 'b', toString: 'c', valueOf: 'd', prototype: 'e', length: '6' },
    ],
    ['names of DynamoDB', { S: 'a', N: '1', NULL: 'true', M: 'b' }],
    ['numbers as keys', { '10': 'a', '9': 'b' }],
    ['any script', { ключ: 'значение', '🎈': '🎈', 'a b': 'c', '#name': ':value', 'a.b': 'c' }],
    ['control characters', { '\u0000': '\u0000', '\u202e': '\u200b' }],
    [
      '50 entries of full length',
      Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [`${'é'.repeat(38)}${i + 10}`, '€'.repeat(500)]),
      ),
    ],
  ])('is kept as the data it is: %s', async (_, meta) => {
    const cart = draft({ meta });
    await carts.create(cart);
    expect((await carts.find(cart.id))?.meta).toStrictEqual(meta);
  });
});

describe('an unknown cart', () => {
  it('is not found', async () => {
    expect(await carts.find(randomUUID())).toBeUndefined();
  });
});

describe('a read', () => {
  it('is strongly consistent: it finds what was created a moment ago', async () => {
    const documents = createDocumentClient({ region: 'local' });
    const mock = mockClient(documents);
    mock.on(GetCommand).resolves({});
    await createCartStore(documents, 'carts').find('any');
    expect(mock.commandCalls(GetCommand).map(({ args: [command] }) => command.input)).toStrictEqual([
      { TableName: 'carts', Key: { id: 'any' }, ConsistentRead: true },
    ]);
  });
});

describe('a signal', () => {
  it('gives both calls up', async () => {
    const cart = draft();
    await expect(carts.create(cart, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await expect(carts.find(cart.id, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(await carts.find(cart.id)).toBeUndefined();
  });
});
