// After a rollback, the code of each fixture reads the items of the current code. docs/upgrade.md says how to try one.
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { TABLES } from '../../infra/stage/tables.ts';
import type { CartRepository } from '../../lib/carts/cart-repository.ts';
import { deliveryMessageOf } from '../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../lib/deliveries/records/delivery-repository.ts';
import { generateEndpointId } from '../../lib/endpoints/endpoint.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import { createErasureLedger } from '../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../lib/operators/erasures/record-and-erase-carts.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import { NOW_MS } from '../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../support/database/database.ts';
import { storeEndpoint } from '../support/domain/endpoints.ts';
import { paymentRecordRepositoryOf } from '../support/domain/event-logs.ts';
import { payment, waitingCart } from '../support/domain/payments.ts';
import { composeService } from '../support/service/service.ts';
import { FIXTURES, readItems, type StoredItems } from './fixtures.ts';

const LOG = { storeId: 'shop', mode: 'test' } as const;

type RawItem = StoredItems[string][number];

/** The kind of an item, such as `cart`. `undefined` if its readers require nothing of it. */
const kindOf = (table: string, item: RawItem): string | undefined => {
  if (table === TABLES.carts.name || table === TABLES.testCarts.name) {
    if (item['storeId']) return 'cart';
    // The others are limits of test carts.
    return item['cartId'] ? 'claim' : undefined;
  }
  if (table === TABLES.events.name) return item['id'] ? 'event' : 'counter';
  const others: string[] = [TABLES.webhookEndpoints.name, TABLES.deliveries.name];
  return others.includes(table) ? table : undefined;
};

/** The items of a stage by their kind. */
const byKind = (items: StoredItems): ReadonlyMap<string, readonly RawItem[]> => {
  const found = new Map<string, RawItem[]>();
  for (const [table, ofTable] of Object.entries(items)) {
    for (const item of ofTable) {
      const kind = kindOf(table, item);
      if (kind !== undefined) found.set(kind, [...(found.get(kind) ?? []), item]);
    }
  }
  return found;
};

/** The fields that all items have, with their types, such as `createdAtMs N`. */
const commonFields = ([first = {}, ...others]: readonly RawItem[]): string[] => {
  const fieldsOf = (item: RawItem) =>
    Object.entries(item).map(([field, value]) => `${field} ${Object.keys(value)[0]}`);
  const fieldsOfOthers = others.map(fieldsOf);
  return fieldsOf(first).filter((field) => fieldsOfOthers.every((fields) => fields.includes(field)));
};

/** Stores a cart, and erases its buyer's data. */
const storeErasedCart = async (
  { documents, tableNames }: TestDatabase,
  carts: CartRepository,
): Promise<void> => {
  const { cart } = await carts.create(waitingCart({ ...LOG, returnUrl: 'https://shop.example/thanks' }));
  const ledger = createErasureLedger(documents, tableNames.erasures);
  await recordAndEraseCarts(documents, ledger, [{ tableName: tableNames.testCarts, cart }], () => NOW_MS);
};

/** Items of the current code: each kind that a fixture has. */
const makeItems = async (): Promise<StoredItems> => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const { carts } = composeService(database);
  const cart = waitingCart(LOG);
  await carts.test.create(waitingCart(LOG));
  await storeErasedCart(database, carts.test);
  await carts.test.create(cart);
  const paymentRecords = paymentRecordRepositoryOf(database, 'testCarts');
  await recordPaymentEvent(
    { cartId: cart.id, mode: 'test', payment: payment() },
    { carts: carts.test, paymentRecords },
  );
  const event = (await createEventRepository(documents, tableNames.events).last(LOG))!.event!;
  const endpoint = { ...LOG, endpointId: generateEndpointId() };
  const url = 'https://shop.example/hook';
  await storeEndpoint(database, { ...endpoint, url, createdAtMs: NOW_MS });
  const attempt = { atMs: NOW_MS, attempt: 1, error: 'timeout', ms: 1 } as const;
  await createDeliveryRepository(documents, tableNames.deliveries, () => NOW_MS).record(
    deliveryMessageOf(endpoint, event),
    { status: 'retrying', result: attempt, next: { attempt: 2, atMs: NOW_MS + 1 } },
    NOW_MS,
  );
  const items: Record<string, RawItem[]> = {};
  for (const [kind, { name }] of Object.entries(TABLES)) {
    const TableName = tableNames[kind as keyof typeof TABLES];
    items[name] = (await documents.send(new ScanCommand({ TableName }))).Items ?? [];
  }
  return items;
};

const current = byKind(await makeItems());
test('one of the current carts is erased', () => {
  const erased = current.get('cart')?.filter(({ personalDataErasedAtMs }) => personalDataErasedAtMs);
  expect(erased?.map(({ customerInfo, meta }) => [customerInfo, meta])).toStrictEqual([
    [{ M: {} }, { M: {} }],
  ]);
});

describe.each(FIXTURES)('after a rollback to %s', (date) => {
  test.each([...byKind(readItems(date))])(
    'each %s has the fields that its reader requires',
    (kind, items) => {
      const fields = commonFields(items);
      expect(fields.length).toBeGreaterThan(1);
      for (const item of current.get(kind) ?? [])
        expect(commonFields([item])).toEqual(expect.arrayContaining(fields));
      expect(current.has(kind)).toBe(true);
    },
  );
});
