import { randomUUID } from 'node:crypto';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localClientConfig } from '../../../../infra/local-access/local-names.ts';
import type { AwsActions } from '../../../../infra/local/aws/aws-actions.ts';
import { startAwsEndpoint } from '../../../../infra/local/aws/aws-endpoint.ts';
import { createEventPaths, type EventPaths, TIMES_MS } from '../../../../infra/local/aws/event-paths.ts';
import {
  EVENT_PATH_FUNCTIONS,
  type EventHandlers,
  observeRecorders,
} from '../../../../infra/local/aws/invoke-functions.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { cartEvent, type CartEvent } from '../../../../lib/carts/cart-event.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import { generateEndpointId } from '../../../../lib/endpoints/endpoint.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { variableOf } from '../../../../lib/settings/settings.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { givenDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import { event as loggedEvent } from '../../../support/domain/logged-events.ts';
import { eventAbout } from '../../../support/domain/payment-events.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { loadAnew } from '../../../support/functions/fresh-handler.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import { setEnvironment } from './environment.ts';

// The functions as they are deployed, with the event paths of one stage. All tests share them: a function reads its environment
// once.

const HANGING_DELIVERIES = 40;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let localStateTable: string;
let eventPaths: EventPaths;
let eventBridge: EventBridgeClient;
let receiver: WebhookReceiver;
const printed: string[] = [];
/** The calls that return messages. */
const returns: Parameters<AwsActions>[1][] = [];
const ends: (() => unknown)[] = [];

const givenReceiver = async (response: number | 'hang'): Promise<WebhookReceiver> => {
  const own = await startWebhookReceiver();
  own.respond(response);
  ends.push(() => own.close());
  return own;
};

/** Creates an endpoint of a store of its own. Returns the store's id. */
const givenEndpoint = async (url: string, mode: Mode = 'live', hasSecret = true): Promise<string> => {
  const storeId = `store-${randomUUID()}`;
  const endpointId = generateEndpointId();
  const endpoint = { storeId, mode, endpointId, url, createdAtMs: Date.now() } as const;
  await storeEndpoint(database, endpoint);
  const stores = createOperatorStoreRepository(database.documents, database.tableNames.stores);
  await stores.put({ id: storeId, name: storeId, createdAtMs: 0 });
  const secret = { TableName: database.tableNames.secrets, Key: { id: endpointId } };
  if (!hasSecret) await database.documents.send(new DeleteCommand(secret));
  return storeId;
};

const givenCart = async (changes: Partial<Cart>): Promise<Cart> => {
  const repository = createCartRepository(database.documents, database.tableNames.carts, Date.now);
  return (await repository.create(waitingCart(changes))).cart;
};

let expired: Cart;
let old: Cart;

beforeAll(async () => {
  database = await givenDatabase(TABLE_KINDS);
  localStateTable = randomUUID();
  await prepareTable(database.documents, localStateTable, LOCAL_STATE_TABLE);
  const print = (line: string): void => void printed.push(line);
  // No test waits for a second sweep or run.
  const timesMs = { ...TIMES_MS, sweep: DAY_MS, runTimers: DAY_MS };
  eventPaths = createEventPaths({ ...database, localStateTable, print, now: Date.now, timesMs });
  const aws = await startAwsEndpoint(database.endpoint, (target, input) => {
    if (target.endsWith('.ChangeMessageVisibilityBatch')) returns.push(input);
    return eventPaths.actions(target, input);
  });
  ends.push(setEnvironment(database, aws.url));
  receiver = await startWebhookReceiver();
  eventBridge = new EventBridgeClient(localClientConfig(aws.url));
  ends.push(
    () => receiver.close(),
    () => aws.close(),
    () => eventPaths.close(),
    () => eventBridge.destroy(),
  );
  // The first run of timers finds them.
  const storeId = await givenEndpoint(receiver.url);
  expired = await givenCart({ storeId, expiresAtMs: Date.now() - 5_000, deleteAtSeconds: Date.now() });
  old = await givenCart({
    status: 'completed',
    completedAtMs: Date.now() - 800 * DAY_MS,
    deleteAtSeconds: undefined,
  });
  const loaded = EVENT_PATH_FUNCTIONS.map(async (name) => [name, (await loadAnew(name)).handler] as const);
  const handlers = Object.fromEntries(await Promise.all(loaded)) as EventHandlers;
  await eventPaths.start(observeRecorders(handlers, eventPaths.passEvents));
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Records completed carts of a store in this process. */
const recordEvents = async (storeId: string, count: number, mode: Mode = 'live'): Promise<void> => {
  const log = createEventLog(database.documents, database.tableNames.events, { now: Date.now });
  const appended = Array.from({ length: count }, () => {
    const cart = waitingCart({ storeId, mode });
    const event = cartEvent({ type: 'cart.completed', cart, cause: 'payment' });
    return log.append({ storeId, mode }, { event, writes: [] });
  });
  await Promise.all(appended);
  eventPaths.passEvents();
};

/** The stored messages of a queue whose body contains a text. */
const storedWith = async (part: string, text: string): Promise<readonly Record<string, unknown>[]> => {
  const query = new QueryCommand({
    TableName: localStateTable,
    KeyConditionExpression: '#part = :part',
    ExpressionAttributeNames: { '#part': 'part' },
    ExpressionAttributeValues: { ':part': part },
    ConsistentRead: true,
  });
  const { Items = [] } = await database.documents.send(query);
  return Items.filter(({ body }) => String(body).includes(text));
};

const waitFor = async (condition: () => unknown): Promise<void> => {
  await expect.poll(condition, { interval: 20 }).toBeTruthy();
};

it('an endpoint that hangs has one delivery in flight, and every other endpoint gets its events', async () => {
  const hanging = await givenReceiver('hang');
  await recordEvents(await givenEndpoint(hanging.url), HANGING_DELIVERIES);
  await waitFor(() => hanging.received.length === 1);
  const healthy = await givenReceiver(204);
  const stores = await Promise.all(Array.from({ length: 3 }, () => givenEndpoint(healthy.url)));
  await Promise.all(stores.map((storeId) => recordEvents(storeId, 2)));
  await waitFor(() => healthy.received.length === 6);
  expect(hanging.received).toHaveLength(1);
});

it.each([
  ['live', 'slowDelivery'],
  ['test', 'slowTestDelivery'],
] as const)('a delivery of %s mode waits in %s, grouped by store, and returns there', async (mode, queue) => {
  // Without a secret, an attempt fails, and its message returns.
  const storeId = await givenEndpoint(receiver.url, mode, false);
  await recordEvents(storeId, 1, mode);
  await expect.poll(() => storedWith(queue, storeId), { interval: 20 }).toHaveLength(1);
  const [stored] = await storedWith(queue, storeId);
  expect(stored).toMatchObject({ groupId: storeId });
  const isReturn = ({ Entries = [] }: (typeof returns)[number]): boolean =>
    Entries.some(({ ReceiptHandle }) => ReceiptHandle === `${String(stored?.['id'])}#1`);
  await expect
    .poll(() => returns.find(isReturn)?.QueueUrl, { interval: 20 })
    .toMatch(new RegExp(`/${queue}$`));
});

it('the abandonment of a cart is recorded, delivered, and printed without the buyer', async () => {
  const ofCart = ({ body }: { readonly body: string }): boolean => body.includes(expired.id);
  await waitFor(() => receiver.received.some(ofCart));
  const sent = JSON.parse(String(receiver.received.find(ofCart)?.body)) as CartEvent;
  expect(sent).toMatchObject({ type: 'cart.abandoned', data: { id: expired.id, status: 'abandoned' } });
  const lines = printed.filter((line) => line.includes(expired.id));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      source: 'cart-checkout',
      'detail-type': 'cart.abandoned',
      detail: {
        id: sent.id,
        type: sent.type,
        timestamp: sent.timestamp,
        store: { id: expired.storeId, name: expired.storeId },
        mode: 'live',
        data: { id: expired.id, status: 'abandoned' },
      },
    },
  ]);
  await expect.poll(() => storedWith('slowDelivery', expired.id), { interval: 20 }).toEqual([]);
});

it('the personal data of a completed cart of long ago is erased, without an event', async () => {
  const carts = createCartRepository(database.documents, database.tableNames.carts, Date.now);
  await expect.poll(async () => (await carts.find(old.id))?.customerInfo, { interval: 20 }).toStrictEqual({});
  expect(printed.filter((line) => line.includes(old.id))).toStrictEqual([]);
});

it('a payment event goes over bus and queue to its function, and only a rejected one returns, after seconds', async () => {
  const storeId = await givenEndpoint(receiver.url);
  const nowMs = Date.now();
  const times = {
    createdAtMs: nowMs - DAY_MS,
    expiresAtMs: nowMs + DAY_MS,
    deleteAtSeconds: nowMs / 1_000 + 86_400,
  };
  const [paid, underpaid] = await Promise.all([
    givenCart({ storeId, ...times }),
    givenCart({ storeId, ...times }),
  ]);
  const entries = [
    [paid, 19.99],
    [underpaid, 1],
  ].map(([cart, amount]) => {
    const detail = { amount, occurredAt: new Date().toISOString() };
    const event = JSON.parse(eventAbout((cart as Cart).id, detail)) as { detail: object };
    return { Source: 'payments', DetailType: 'payment.succeeded', Detail: JSON.stringify(event.detail) };
  });
  await eventBridge.send(new PutEventsCommand({ Entries: entries }));

  await waitFor(() => receiver.received.some(({ body }) => body.includes(paid.id)));
  const carts = createCartRepository(database.documents, database.tableNames.carts, Date.now);
  expect((await carts.find(paid.id))?.status).toBe('completed');
  await expect.poll(() => storedWith('payments', paid.id), { interval: 20 }).toEqual([]);
  const [message, ...others] = await storedWith('payments', underpaid.id);
  expect(others).toStrictEqual([]);
  const entry = { Id: '0', ReceiptHandle: `${String(message?.['id'])}#1`, VisibilityTimeout: 5 };
  const call = { QueueUrl: process.env[variableOf('paymentsQueueUrl')], Entries: [entry] };
  await expect.poll(() => returns, { interval: 20 }).toContainEqual(call);
  expect((await carts.find(underpaid.id))?.status).toBe('waiting_payment');
});

it('a delivery that fails waits in the queue for its next attempt', async () => {
  const failing = await givenReceiver(500);
  await recordEvents(await givenEndpoint(failing.url), 1);
  await waitFor(() => failing.received.length === 1);
  const [eventId] = failing.received.map(({ headers }) => String(headers['webhook-id']));
  const attempts = async (): Promise<readonly unknown[]> =>
    (await storedWith('slowDelivery', String(eventId))).map(({ body, visibleAtMs }) => ({
      attempt: (JSON.parse(String(body)) as DeliveryMessage).attempt,
      isLater: Number(visibleAtMs) > Date.now(),
    }));
  await expect.poll(attempts, { interval: 20 }).toEqual([{ attempt: 2, isLater: true }]);
});

it('an event that cannot be read becomes a dead letter, and blocks none behind it', async () => {
  const storeId = await givenEndpoint(receiver.url);
  const Item = { log: `live#${storeId}`, sequence: 1, id: 'evt_malformed' };
  await database.documents.send(new PutCommand({ TableName: database.tableNames.events, Item }));
  const next = loggedEvent(2, { storeId, recordedAtMs: Date.now() });
  const second = { TableName: database.tableNames.events, Item: toEventItem(next) };
  await database.documents.send(new PutCommand(second));
  eventPaths.passEvents();
  await waitFor(() => receiver.received.some(({ headers }) => headers['webhook-id'] === next.id));
  expect(receiver.received.filter(({ headers }) => headers['webhook-id'] === next.id)).toHaveLength(1);
});
