import { isDeepStrictEqual } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { CART_EVENTS, type CartEvent, type CartEventType } from '../../infra/cart-events.ts';
import { watchCartEvents } from '../../infra/local/cart-events.ts';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import { createPaymentStore } from '../../lib/carts/payment-store.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import { recordPayment } from '../../lib/carts/record-payment.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../support/payments.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await givenDatabase();
});

/** The value at a path such as `statusChange.M.to.S`. */
const valueAt = (image: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], image);

/** The path below the new image that the pipe's filter requires. */
const filteredPath = (filter: object): string => {
  const [[name, inner] = ['', undefined]] = Object.entries(filter) as [string, unknown][];
  return Array.isArray(inner) ? name : `${name}.${filteredPath(inner as object)}`;
};

/** Records payments on a new cart. Returns the new image in the stream after each, and the events of the local stage. */
const recorded = async (...payments: readonly Payment[]) => {
  const { documents, tableNames } = database;
  const carts = createCartStore(documents, tableNames.carts);
  const stores = { carts, payments: createPaymentStore(documents, tableNames.carts) };
  const { id: cartId, mode } = (await carts.create(waitingCart())).cart;
  const get = new GetItemCommand({ TableName: tableNames.carts, Key: { id: { S: cartId } } });
  const events: CartEvent[] = [];
  const images: unknown[] = [];
  const end = watchCartEvents((event) => events.push(event));
  for (const each of payments) {
    await recordPayment({ cartId, mode, payment: each }, stores);
    images.push((await documents.send(get)).Item);
  }
  end();
  return { images, events };
};

/** The events that the pipes send for a new image, by their filters and templates. */
const sentFor = (image: unknown): CartEvent[] =>
  (Object.keys(CART_EVENTS) as CartEventType[])
    .filter((type) => valueAt(image, filteredPath(CART_EVENTS[type].filter.dynamodb.NewImage)) !== undefined)
    .map((type) => {
      const fields = Object.entries(CART_EVENTS[type].fields);
      const detail = Object.fromEntries(fields.map(([name, path]) => [name, valueAt(image, path)]));
      return { source: 'cart-checkout', 'detail-type': type, detail } as unknown as CartEvent;
    });

const failedAfter = (ms: number): Payment => payment({ result: 'failed', occurredAtMs: CREATED_AT_MS + ms });

describe("the pipes' events equal the events of the local stage", () => {
  const second = (): Payment => payment({ occurredAtMs: CREATED_AT_MS + 1_000 });
  /** Another event about the same payment. */
  const again = ({ paymentId }: Payment): Payment => payment({ paymentId });
  const changed = 'cart.status_changed';
  const duplicate = 'cart.duplicate_payment';

  it.each<[string, (paid: Payment, duplicate: Payment) => Payment[], CartEventType[]]>([
    ['a payment that completes', (paid) => [paid], [changed]],
    ['one that fails', () => [failedAfter(1_000)], [changed]],
    ['one that is late', () => [payment({ occurredAtMs: CREATED_AT_MS + 86_400_000 })], [changed]],
    ['one that changes no status', () => [failedAfter(1_000), failedAfter(2_000)], [changed]],
    ['another event of the payment that completed', (paid) => [paid, again(paid)], [changed]],
    ['a duplicate payment', (paid, other) => [paid, other], [changed, duplicate]],
    ['its redelivery', (paid, other) => [paid, other, other], [changed, duplicate]],
    ['a failure after it', (paid, other) => [paid, other, failedAfter(3_000)], [changed, duplicate]],
    ['another event of it', (paid, other) => [paid, other, again(other)], [changed, duplicate]],
    ['two of them', (paid, other) => [paid, other, payment()], [changed, duplicate, duplicate]],
  ])('%s', async (_, paymentsOf, types) => {
    const { images, events } = await recorded(...paymentsOf(payment(), second()));
    // A redelivery writes nothing, so the stream has no record of it.
    const written = images.filter((image, i) => !isDeepStrictEqual(image, images[i - 1]));
    expect(written.flatMap(sentFor)).toStrictEqual(events);
    expect(events.map((event) => event['detail-type'])).toStrictEqual(types);
  });

  it('name both payments of a cart', async () => {
    const [paid, other] = [payment(), second()];
    const { events } = await recorded(paid, other);
    expect(events.at(-1)?.detail).toMatchObject({
      mode: 'live',
      paymentId: paid.paymentId,
      duplicatePaymentId: other.paymentId,
      occurredAt: new Date(other.occurredAtMs).toISOString(),
    });
  });
});
