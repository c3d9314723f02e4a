import type { CartEvent } from '../../../lib/carts/cart-event.ts';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { readFeed } from '../../../lib/events/feed.ts';
import { inParallel } from '../../../lib/core/in-parallel.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { paymentStoreOf } from '../../support/events.ts';
import { payment, waitingCart } from '../../support/payments.ts';

const COUNT = 200;

test('after an outage of its endpoints, a merchant recovers every completed cart from the feed, 100 in a request', async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const carts = createCartStore(documents, tableNames.carts, () => NOW_MS);
  const payments = paymentStoreOf(database);
  const log = { storeId: randomUUID(), mode: 'live' } as const;
  const created = Array.from({ length: COUNT }, () => waitingCart(log));
  await inParallel(created, 50, async (cart) => {
    await carts.create(cart);
    await recordPayment({ cartId: cart.id, mode: 'live', payment: payment() }, { carts, payments });
  });

  const recovered: string[] = [];
  let requests = 0;
  let after: string | undefined;
  for (let hasMore = true; hasMore; requests += 1) {
    const read = await readFeed(
      { log, after, limit: 100, nowMs: NOW_MS },
      createEventStore(documents, tableNames.events),
    );
    if (read.outcome === 'rejected') throw new Error(read.reason);
    const events = read.page.events.map(({ body }) => JSON.parse(body) as CartEvent);
    recovered.push(...events.filter(({ type }) => type === 'cart.completed').map(({ data }) => data.id));
    ({ cursor: after, hasMore } = read.page);
  }
  expect(recovered.toSorted()).toEqual(created.map(({ id }) => id).toSorted());
  expect(requests).toBe(COUNT / 100);
});
