import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import { manualClock } from '../../support/clock.ts';
import { mockDocuments } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { BUYER } from '../../support/secrets.ts';

const { now } = manualClock();
const database = await givenDatabase();
const carts = createCartRepository(database.documents, database.tableNames.carts, now);

// `cart-item.test.ts` shows that every cart is read from the database as it was stored.
describe('a cart store', () => {
  it('stores no field that is undefined', async () => {
    const { firstName, lastName, email } = BUYER;
    const customerInfo = { firstName, lastName, email, phone: undefined, lang: undefined };
    const cart = waitingCart({ customerInfo, returnUrl: undefined });
    expect(await carts.create(cart)).toStrictEqual({ outcome: 'created', cart });
    const found = await carts.find(cart.id);
    expect(found?.customerInfo).toStrictEqual({ firstName, lastName, email });
    expect(found).not.toHaveProperty('returnUrl');
  });

  it('finds a new cart at once, by a strongly consistent read', async () => {
    const documents = createDocumentClient({ region: 'local' });
    const mock = mockDocuments(documents);
    mock.on(GetCommand).resolves({});
    await createCartRepository(documents, 'carts', now).find('any');
    expect(mock.commandCalls(GetCommand).map(({ args: [command] }) => command.input)).toStrictEqual([
      { TableName: 'carts', Key: { id: 'any' }, ConsistentRead: true },
    ]);
  });

  it('ends both calls when their signal aborts', async () => {
    const cart = waitingCart();
    await expect(carts.create(cart, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await expect(carts.find(cart.id, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(await carts.find(cart.id)).toBeUndefined();
  });
});

describe('a cart whose id is taken', () => {
  it('is not stored; the earlier cart is returned and stays unchanged', async () => {
    const first = waitingCart({ meta: { constructor: 'a', ключ: 'б' } });
    await carts.create(first);
    const second = waitingCart({ id: first.id, storeId: 'store-2', meta: {} });
    expect(await carts.create(second)).toStrictEqual({ outcome: 'exists', cart: first });
    expect(await carts.find(first.id)).toStrictEqual(first);
  });

  it('is created once by concurrent writers, who all get the same cart', async () => {
    const id = randomUUID();
    const drafts = Array.from({ length: 8 }, (_, i) => waitingCart({ id, meta: { index: String(i) } }));
    const results = await Promise.all(drafts.map((cart) => carts.create(cart)));
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const winner = await carts.find(id);
    expect(results.map(({ cart }) => cart)).toStrictEqual(drafts.map(() => winner));
  });

  it('is an error if DynamoDB does not return the earlier cart', async () => {
    const documents = createDocumentClient({ region: 'local' });
    const taken = new ConditionalCheckFailedException({ message: 'taken', $metadata: {} });
    mockDocuments(documents).on(PutCommand).rejects(taken);
    await expect(createCartRepository(documents, 'carts', now).create(waitingCart())).rejects.toBe(taken);
  });
});
