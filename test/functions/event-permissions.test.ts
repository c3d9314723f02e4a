import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventFunctionName } from '../../functions/event-functions.ts';
import { FUNCTIONS } from '../../functions/function-needs.ts';
import { RUN_USE } from '../../infra/cost/aws-use.ts';
import { listen } from '../../infra/local/gateway/listen.ts';
import { PERMISSIONS } from '../../infra/stack/database/permissions.ts';
import { BUS_TYPES } from '../../infra/stack/events/bus-types.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { DEFAULT_LIMITS } from '../../lib/api-keys/key-limits.ts';
import { createCartRepository } from '../../lib/carts/cart-repository.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import { TABLE_KINDS } from '../../lib/database/tables.ts';
import { createLeases } from '../../lib/deliveries/leases/leases.ts';
import { createEndpointTimers } from '../../lib/deliveries/parking/endpoint-timers.ts';
import {
  drainRequestOf,
  type QueueMessage,
  testMessageOf,
} from '../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../lib/deliveries/records/delivery-repository.ts';
import { retryTimer } from '../../lib/deliveries/retries/delivery-timers.ts';
import { CART_EVENT_TYPES } from '../../lib/events/event-types.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { createApiKeyRepository } from '../../lib/operators/api-key-repository.ts';
import { NOW_MS } from '../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../support/database/database.ts';
import { newEndpoint, storeEndpoint } from '../support/domain/endpoints.ts';
import { event, eventRecord } from '../support/domain/logged-events.ts';
import { waitingCart } from '../support/domain/payments.ts';
import { batchOf, givenReceiver, QUEUE_ARN, recordOf as messageOf } from '../support/functions/delivery.ts';
import { loadAnew } from '../support/functions/fresh-handler.ts';
import { allows, type CallInput, isLike, type ItemCall, itemCallsOf } from '../support/functions/iam.ts';
import { invoke } from '../support/functions/invoke.ts';
import { stubSettings } from '../support/functions/stub-settings.ts';
import { logged } from '../support/logs/log-lines.ts';

// The functions run as they are deployed. Neither the embedded DynamoDB nor the emulator of AWS checks permissions.

type Tested = Exclude<EventFunctionName, 'canary' | 'record-payment'> | 'sandbox-checkout';

let database: TestDatabase;

/** The calls of DynamoDB since the start of the test. */
const calls: ItemCall[] = [];

/** The types of the events that the bus got since the start of the test. */
const busTypes = new Set<string>();

/** The responses of SQS, whose digests the SDK checks, and of EventBridge, which confirms each entry. */
const otherResponse = (body: string): string => {
  const { Entries = [], MessageBody = '' } = JSON.parse(body) as {
    readonly Entries?: readonly {
      readonly Id?: string;
      readonly MessageBody?: string;
      readonly DetailType?: string;
    }[];
    readonly MessageBody?: string;
  };
  for (const { DetailType } of Entries) if (DetailType !== undefined) busTypes.add(DetailType);
  const digestOf = (sent: string): string => createHash('md5').update(sent).digest('hex');
  return JSON.stringify({
    MD5OfMessageBody: digestOf(MessageBody),
    Successful: Entries.map((entry) => ({
      Id: entry.Id,
      MD5OfMessageBody: digestOf(entry.MessageBody ?? ''),
    })),
    Entries: Entries.map(() => ({ EventId: 'accepted' })),
  });
};

/** DynamoDB behind a server that records its calls. The server also takes the place of SQS and EventBridge. */
const server = createServer((incoming, outgoing) => {
  void (async () => {
    const body = await text(incoming);
    const [service, operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    if (service !== 'DynamoDB_20120810') return outgoing.end(otherResponse(body));
    calls.push(...itemCallsOf(operation, JSON.parse(body) as CallInput, database.tableNames));
    const passed = request(database.endpoint, { method: 'POST', headers: incoming.headers });
    passed.end(body);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    return outgoing.writeHead(response.statusCode ?? 502).end(await text(response));
  })();
});
const serverEndpoint = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(async () => {
  database = await givenDatabase(TABLE_KINDS);
  calls.length = 0;
  busTypes.clear();
  // The receivers' events are of this time.
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const QUICK_QUEUE_ARN = QUEUE_ARN.replace('slow-deliveries', 'deliveries');

/** Loads a function with the environment of a stage. */
const load = async (name: Tested | 'webhook-endpoints'): Promise<(event: unknown) => Promise<unknown>> => {
  const account = 'https://sqs.eu-west-1.amazonaws.com/123456789012';
  const queue = `${account}/queue`;
  stubSettings(database.tableNames, {
    deliveryQueueUrl: `${account}/deliveries`,
    testDeliveryQueueUrl: queue,
    slowDeliveryQueueUrl: `${account}/slow-deliveries`,
    slowTestDeliveryQueueUrl: queue,
    eventDeadLetterQueueUrl: queue,
    webhookLoopback: 'true',
  });
  for (const service of ['DYNAMODB', 'SQS', 'EVENTBRIDGE']) {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, serverEndpoint);
  }
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const { handler } = await loadAnew<{
    handler: (event: unknown, context: object) => Promise<unknown>;
  }>(name);
  return (input) => handler(input, { getRemainingTimeInMillis: () => 40_000 });
};

/** Every call is permitted, and every permission is used, with each of its attributes. */
const expectPermitted = (name: Tested): void => {
  const permissions = FUNCTIONS[name].access.flatMap((access) => PERMISSIONS[access]);
  const isDenied = (call: ItemCall) => !permissions.some((permission) => allows(permission, call));
  expect(calls.filter(isDenied)).toStrictEqual([]);
  for (const permission of permissions) {
    const allowed = calls.filter((call) => allows(permission, call));
    expect(allowed, JSON.stringify(permission)).not.toStrictEqual([]);
    const named = new Set(allowed.flatMap(({ attributes }) => attributes));
    if (permission.attributes) expect([...named].toSorted()).toStrictEqual(permission.attributes.toSorted());
  }
};

it('run-timers makes the queries that its cost states, and nothing else, if nothing is due', async () => {
  const handle = await load('run-timers');
  expect(await logged(() => handle({}))).toStrictEqual([]);
  // An empty query takes half a read unit.
  expect(calls).toHaveLength(2 * RUN_USE['run-timers'].reads);
  expect(calls.filter(({ action, index }) => action !== 'Query' || index !== 'timers')).toStrictEqual([]);
});

it('fan-out-events calls what its access permits', async () => {
  const handle = await load('fan-out-events');
  const records = CART_EVENT_TYPES.map((type, index) => {
    const body = event(index + 1).body.replace('cart.completed', type);
    return eventRecord(event(index + 1, { type, body }));
  });
  expect(await handle({ Records: records })).toStrictEqual({ batchItemFailures: [] });
  expectPermitted('fan-out-events');
  expect([...busTypes].toSorted()).toStrictEqual(CART_EVENT_TYPES.toSorted());
  expect(
    CART_EVENT_TYPES.filter((type) => !BUS_TYPES['fan-out-events'].some((own) => isLike(type, own))),
  ).toStrictEqual([]);
});

it('deliver-webhooks calls what its access permits, from a success to an open breaker and a disabled endpoint', async () => {
  const handle = await load('deliver-webhooks');
  const deliver = (messages: readonly QueueMessage[], eventSourceARN = QUEUE_ARN) =>
    logged(() => handle(batchOf(messages.map((message) => ({ ...messageOf(message), eventSourceARN })))));
  // One after the other, then two at the same time.
  const bothSlots = Promise.withResolvers<void>();
  const quick = await givenReceiver(database, (response) => {
    if (quick.ids.length === 3) bothSlots.resolve();
    void (quick.ids.length === 1 ? Promise.resolve() : bothSlots.promise).then(() => response.end());
  });
  await deliver(quick.givenMessages(1));
  await Promise.all([1, 2].map(() => deliver(quick.givenMessages(1), QUICK_QUEUE_ARN)));
  // Five failures open the breaker, and the probe, a parked delivery, returns 410.
  const failing = await givenReceiver(database, (response) => {
    response.writeHead(failing.ids.length <= 5 ? 500 : 410).end();
  });
  await deliver(failing.givenMessages(8));
  vi.setSystemTime(NOW_MS + 60_000);
  await deliver([drainRequestOf(failing.endpoint)]);
  expect(failing.ids).toHaveLength(6);
  // The first event of a log.
  const other = newEndpoint({ url: failing.endpoint.url });
  await storeEndpoint(database, other);
  await deliver([testMessageOf(other, NOW_MS)]);
  // A drain that finds no parked delivery.
  await deliver([drainRequestOf(quick.endpoint)]);
  expectPermitted('deliver-webhooks');
});

/** A live or test cart whose timer is due. */
const givenDueCarts = async (changes: Partial<Cart>): Promise<readonly Cart[]> => {
  const due = (['live', 'test'] as const).map((mode) => waitingCart({ mode, expiresAtMs: 1, ...changes }));
  const { carts, testCarts } = database.tableNames;
  for (const cart of due) {
    const table = cart.mode === 'live' ? carts : testCarts;
    await createCartRepository(database.documents, table, Date.now).create(cart);
  }
  return due;
};

/** A delivery whose next attempt is due, an endpoint with parked deliveries, and one that has none any more. */
const givenTimedDeliveries = async (): Promise<void> => {
  const { documents, tableNames } = database;
  const { endpoint, givenMessages } = await givenReceiver(database);
  const deliveries = createDeliveryRepository(documents, tableNames.deliveries, Date.now);
  const timers = createEndpointTimers(documents, tableNames.webhookEndpoints);
  const leases = createLeases(documents, tableNames.webhookEndpoints, Date.now);
  for (const message of givenMessages(1)) {
    const next = { attempt: 2, timer: retryTimer(message, 1) };
    await deliveries.record(message, { status: 'retrying', next }, Date.now());
  }
  const drained = (await givenReceiver(database)).endpoint;
  for (const each of [endpoint, drained]) await timers.notePark(each, 1);
  const lease = await leases.take(drained);
  if (!('outcome' in lease)) await leases.freeDrained(lease);
};

it('run-timers calls what its access permits, for each kind of work and for a cart that fails', async () => {
  await givenTimedDeliveries();
  const deleteAtSeconds = Date.now();
  await givenDueCarts({ deleteAtSeconds });
  await givenDueCarts({ status: 'completed', completedAtMs: 1, deleteAtSeconds: undefined });
  const [broken] = (await givenDueCarts({ deleteAtSeconds })) as [Cart];
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tableNames.carts,
      Key: { id: broken.id },
      UpdateExpression: 'REMOVE productName',
    }),
  );
  const handle = await load('run-timers');
  const lines = await logged(() => handle({}));
  const worked = lines.flatMap(({ job, handled, failed }) =>
    handled === undefined ? [] : [[job, handled, failed]],
  );
  expect(worked.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toStrictEqual([
    ['live erasures', 1, 0],
    ['live expiries', 1, 1],
    ['test erasures', 1, 0],
    ['test expiries', 2, 0],
    ['test probes', 1, 0],
    ['test retries', 1, 0],
  ]);
  expectPermitted('run-timers');
});

it('sandbox-checkout calls what its access permits, to show, pay and expire test carts', async () => {
  const handle = (await load('sandbox-checkout')) as ProxyFunction;
  const carts = createCartRepository(database.documents, database.tableNames.testCarts, Date.now);
  const send = async (name: 'openSandboxCheckout' | 'submitSandboxCheckout', cartId: string, body = '') => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return (await invoke(handle, name, { pathParameters: { cartId }, headers, body }, Date.now)).status;
  };
  for (const [action, expiresInMs] of [
    ['pay', 120_000],
    ['expire', 120_000],
    ['pay', 0],
  ] as const) {
    const expiresAtMs = Date.now() + expiresInMs;
    const { cart } = await carts.create(
      waitingCart({ storeId: 'store-of-sandbox', mode: 'test', expiresAtMs, deleteAtSeconds: Date.now() }),
    );
    expect(await send('openSandboxCheckout', cart.id)).toBe(200);
    expect(await send('submitSandboxCheckout', cart.id, `action=${action}`)).toBe(303);
  }
  expectPermitted('sandbox-checkout');
});

it('webhook-endpoints asks the DNS for a host between two writes to the item of the key', async () => {
  const handle = (await load('webhook-endpoints')) as ProxyFunction;
  const keyText = generateApiKey('test');
  const key = { keyText, storeId: 'shop', mode: 'test', ...DEFAULT_LIMITS, nowMs: NOW_MS } as const;
  await createApiKeyRepository(database.documents, database.tableNames.apiKeys).issue(key);
  const isMark = ({ attributes }: ItemCall): boolean => attributes.includes('dnsCheckUntilMs');
  const marksBefore: number[] = [];
  for (const method of ['resolve4', 'resolve6'] as const) {
    vi.spyOn(Resolver.prototype, method).mockImplementation(async () => {
      marksBefore.push(calls.filter(isMark).length);
      return ['93.184.215.14'] as never;
    });
  }
  const headers = { Authorization: `Bearer ${keyText}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: 'https://shop.example/' });
  const { status } = await invoke(handle, 'createWebhookEndpoint', { headers, body }, Date.now);
  expect(status).toBe(201);
  expect([marksBefore, calls.filter(isMark).map(({ table }) => table)]).toStrictEqual([
    [1, 1],
    ['apiKeys', 'apiKeys'],
  ]);
});
