import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LocalEvents, startLocalEvents } from '../../../../infra/local/events/local-events.ts';
import { createCartStore } from '../../../../lib/carts/cart-store.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import type { StoreEvent } from '../../../../lib/events/store-event.ts';
import { createEndpointStore } from '../../../../lib/webhooks/endpoint-store.ts';
import { generateEndpointId } from '../../../../lib/webhooks/endpoint.ts';
import { createSecretStore } from '../../../../lib/webhooks/secret-store.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../../support/database.ts';
import { waitingCart } from '../../../support/payments.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts';

const PAUSES = { poll: 20, sweep: 20, runDue: 20, erase: 20, scan: 20 };
const HANGING_DELIVERIES = 40;

let database: TestDatabase;
/** It stands. Otherwise, the lease of a delivery that hangs could end on a slow machine. */
let clock: ManualClock;
let events: LocalEvents;
let printed: string[];
let receiver: WebhookReceiver;
let hanging: WebhookReceiver;

beforeEach(async () => {
  database = await givenDatabase();
  clock = manualClock();
  printed = [];
  receiver = await startWebhookReceiver();
  hanging = await startWebhookReceiver();
  hanging.respond('hang');
  events = startLocalEvents({
    ...database,
    ownsDatabase: true,
    personalDataDays: 730,
    print: (line) => printed.push(line),
    now: clock.now,
    pauses: PAUSES,
  });
});

afterEach(async () => {
  await Promise.all([receiver.close(), hanging.close()]);
  await events.close();
});

const waitFor = async (condition: () => boolean): Promise<void> => {
  await expect.poll(condition, { interval: 10 }).toBe(true);
};

/** Creates an endpoint of a store of its own. Returns the store's id. */
const givenEndpoint = async (url: string): Promise<string> => {
  const { documents, tableNames } = database;
  const storeId = `store-${randomUUID()}`;
  const endpointId = generateEndpointId();
  await createSecretStore(documents, tableNames.webhookSecrets, clock.now).create(endpointId);
  const endpoint = { storeId, mode: 'live', endpointId, url, createdAtMs: clock.now() } as const;
  await createEndpointStore(documents, tableNames.webhookEndpoints).create(endpoint);
  return storeId;
};

/** Records completed carts of a store in this process. */
const recordEvents = async (storeId: string, count: number): Promise<void> => {
  const log = createEventLog(database.documents, database.tableNames.events, { now: clock.now });
  const appended = Array.from({ length: count }, () => {
    const event = { type: 'cart.completed', cart: waitingCart({ storeId }), cause: 'payment' } as const;
    return log.append({ storeId, mode: 'live' }, { event, writes: [] });
  });
  await Promise.all(appended);
};

it('an endpoint that hangs has two deliveries in flight, and every other endpoint gets its events', async () => {
  await recordEvents(await givenEndpoint(hanging.url), HANGING_DELIVERIES);
  await waitFor(() => hanging.received.length === 2);
  const stores = await Promise.all(Array.from({ length: 10 }, () => givenEndpoint(receiver.url)));
  await Promise.all(stores.map((storeId) => recordEvents(storeId, 2)));
  await waitFor(() => receiver.received.length === 20);
  expect(hanging.received).toHaveLength(2);
});

it('the abandonment of a cart of this process is recorded, delivered and printed without the buyer', async () => {
  const storeId = await givenEndpoint(receiver.url);
  const cart = waitingCart({ storeId, expiresAtMs: clock.now() - 1, deleteAtSeconds: clock.now() });
  await createCartStore(database.documents, database.tableNames.carts, clock.now).create(cart);
  clock.advance(3);
  await waitFor(() => receiver.received.length === 1);
  const event = JSON.parse(String(receiver.received[0]?.body)) as StoreEvent;
  expect(event).toMatchObject({ type: 'cart.abandoned', data: { id: cart.id, status: 'abandoned' } });
  expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      source: 'cart-checkout',
      'detail-type': 'cart.abandoned',
      detail: {
        id: event.id,
        type: event.type,
        timestamp: event.timestamp,
        store: { id: storeId, name: storeId },
        mode: 'live',
        data: { id: cart.id, status: 'abandoned' },
      },
    },
  ]);
});

it('the personal data of a completed cart of long ago is erased, without an event', async () => {
  const carts = createCartStore(database.documents, database.tableNames.testCarts, clock.now);
  const cart = waitingCart({
    mode: 'test',
    status: 'completed',
    updatedAtMs: clock.now() - 800 * 86_400_000,
  });
  await carts.create(cart);
  await expect
    .poll(async () => (await carts.find(cart.id))?.customerInfo, { interval: 10, timeout: 20_000 })
    .toStrictEqual({});
  expect(printed).toStrictEqual([]);
});
