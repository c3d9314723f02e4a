// The current code reads and continues the items of earlier releases. docs/upgrade.md says how to add those of a release.
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { TABLES, type TableKind } from '../../infra/tables.ts';
import { createAbandonmentStore } from '../../lib/carts/abandonment-store.ts';
import { viewRetrievedCart } from '../../lib/carts/cart-view.ts';
import { recordPayment } from '../../lib/carts/record-payment.ts';
import { fromItem as fromDueItem } from '../../lib/due/due-item.ts';
import { DAY_MS } from '../../lib/core/durations.ts';
import { createEventStore } from '../../lib/events/event-store.ts';
import { inParts } from '../../lib/core/in-parts.ts';
import { createDeliveryStore } from '../../lib/webhooks/delivery-store.ts';
import { createEndpointStore } from '../../lib/webhooks/endpoint-store.ts';
import { createSecretStore } from '../../lib/webhooks/secret-store.ts';
import { NOW_MS } from '../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { eventLogOf, paymentStoreOf } from '../support/events.ts';
import { expectError } from '../support/expect-error.ts';
import { payment } from '../support/payments.ts';
import { composeService, type TestService } from '../support/service.ts';
import { ITEM_FOLDERS, readFixture, readItems, type StoredCart, type StoredItems } from './fixtures.ts';
import { testServed, twoDaysLater, use } from './served-fixture.ts';

const kindOf = (tableName: string): TableKind => {
  const [kind] = Object.entries(TABLES).find(([, { name }]) => name === tableName) ?? [];
  if (kind === undefined) throw new Error(`No table has the items of ${tableName}`);
  return kind as TableKind;
};

/** Tables with the items of a release. */
const givenItems = async (items: StoredItems): Promise<TestDatabase> => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  for (const [name, ofTable] of Object.entries(items)) {
    for (const part of inParts(ofTable, 25)) {
      const requests = part.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(
        new BatchWriteItemCommand({ RequestItems: { [tableNames[kindOf(name)]]: requests } }),
      );
    }
  }
  return database;
};

/** The service on a release's items, at a time. */
const serviceAt = (database: TestDatabase, timeMs: number): TestService => {
  const service = composeService(database);
  service.clock.advance((timeMs - NOW_MS) / 1_000);
  return service;
};

describe.each(ITEM_FOLDERS)('the items of %s, read by the current code', (name) => {
  const fixture = readFixture(name);
  const { madeAtMs, keys, carts, retries, feed, endpointId } = fixture;
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await givenItems(readItems(name));
    service = serviceAt(database, madeAtMs);
  });

  testServed(fixture, () => service);

  const cartNamed = (wanted: string): StoredCart => carts.find((cart) => cart.name === wanted)!;

  test('two days later, a rotated key has ended, and carts that wait are abandoned', async () => {
    const laterMs = madeAtMs + 2 * DAY_MS;
    expectError(await use(serviceAt(database, laterMs), keys.endsWithinADay), 'invalidApiKey');
    for (const { id, responseText } of carts) {
      const { live, test: inTest } = service.carts;
      const view = viewRetrievedCart(((await live.find(id)) ?? (await inTest.find(id)))!, laterMs);
      expect(view).toEqual(twoDaysLater(responseText));
    }
  });

  test('a retry that spans the upgrade finds its cart', async () => {
    expect(retries).not.toHaveLength(0);
    for (const { apiKey, body, headers, responseText } of retries) {
      const replayed = await service.createCart(body, { apiKey, headers });
      expect(replayed.headers['idempotent-replayed']).toBe('true');
      const { cart } = JSON.parse(responseText) as { readonly cart: object };
      expect(replayed.body).toMatchObject({ cart });
    }
  });

  test('a payment completes a cart, and its event follows those in the log', async () => {
    const { id } = cartNamed('waiting');
    const { documents, tableNames } = database;
    const log = { storeId: 'shop', mode: 'live' } as const;
    const paid = payment({ amount: 49.9, occurredAtMs: madeAtMs });
    const recorded = await recordPayment(
      { cartId: id, mode: 'live', payment: paid },
      {
        carts: service.carts.live,
        payments: paymentStoreOf(database, 'carts', () => madeAtMs),
      },
    );
    expect(recorded).toMatchObject({ outcome: 'recorded', cart: { status: 'completed' } });
    const last = await createEventStore(documents, tableNames.events).last(log);
    expect(last).toMatchObject({ type: 'cart.completed', cartId: id });
  });

  test('an expired cart becomes an event', async () => {
    const { id } = cartNamed('everyField');
    const log = eventLogOf(database, () => madeAtMs + 2 * DAY_MS);
    const cart = (await service.carts.live.find(id))!;
    const abandonments = createAbandonmentStore(database.tableNames.carts, log);
    expect(await abandonments.save(cart, madeAtMs + 2 * DAY_MS)).toBe(true);
  });

  if (!feed || endpointId === undefined) return;

  test('the feed has the same events', async () => {
    const { apiKey, events } = feed;
    expect(events).not.toHaveLength(0);
    const { body } = await service.send('listEvents', { apiKey });
    expect(body).toMatchObject({ events });
  });

  test('endpoints, deliveries and due work are readable', async () => {
    const { documents, tableNames } = database;
    const endpoint = await createEndpointStore(documents, tableNames.webhookEndpoints).find(endpointId);
    expect(endpoint).toMatchObject({ storeId: 'shop', mode: 'test', url: 'http://127.0.0.1:1/hook' });
    const secrets = createSecretStore(documents, tableNames.webhookSecrets, () => madeAtMs);
    expect(await secrets.find(endpointId)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    const deliveries = await createDeliveryStore(documents, tableNames.deliveries, () => madeAtMs).listOf(
      endpointId,
    );
    expect(deliveries).toHaveLength(feed.events.length);
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ status: 'retrying', attempts: [{ error: 'connectionFailed' }] });
    }
    const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableNames.due }));
    const due = Items.filter(({ kind }) => kind !== undefined).map(fromDueItem);
    expect(due.map(({ entry }) => entry?.kind)).toContain('expiry');
    expect(due.filter(({ entry }) => entry === undefined)).toStrictEqual([]);
  });
});
