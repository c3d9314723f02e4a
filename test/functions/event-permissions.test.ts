import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Access, EVENT_FUNCTIONS, HTTP_FUNCTIONS } from '../../functions/operations.ts';
import { listen } from '../../infra/local/gateway/listen.ts';
import { PERMISSIONS } from '../../infra/stack/permissions.ts';
import type { TableKind } from '../../infra/tables.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { createDeliveryStore } from '../../lib/webhooks/delivery-store.ts';
import { parkedTimer, retryTimer } from '../../lib/webhooks/delivery-timers.ts';
import { createEndpointTimers } from '../../lib/webhooks/endpoint-timers.ts';
import { event, eventRecord } from '../lib/events/events.ts';
import { NOW_MS } from '../support/clock.ts';
import { givenDatabase } from '../support/database.ts';
import { invoke } from '../support/invoke.ts';
import { logged } from '../support/log-lines.ts';
import { waitingCart } from '../support/payments.ts';
import { batchOf, givenReceiver, recordOf as messageOf } from './deliver-webhooks/receivers.ts';

// The functions run as they are deployed. Neither the embedded DynamoDB nor the emulator of AWS checks permissions.

type Tested = Exclude<keyof typeof EVENT_FUNCTIONS, 'canary' | 'record-payment'> | 'sandbox-checkout';

const database = await givenDatabase();
const { documents, tableNames } = database;

const ACTIONS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** The calls of DynamoDB since the start of the test as `action table`, with the index that it reads. IAM checks each write of a transaction by itself. */
const calls: string[] = [];

/** The attributes that the updates of a table have named since the start of the test. */
const updated = new Map<string, Set<string>>();

interface Input {
  readonly Key?: object;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: object;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
}

const KEYWORDS = /^(?:SET|REMOVE|ADD|AND|OR|attribute_exists|attribute_not_exists|if_not_exists)$/;

const recordUpdate = ({
  TableName = '',
  Key = {},
  UpdateExpression = '',
  ConditionExpression = '',
}: Input) => {
  const words = `${UpdateExpression} ${ConditionExpression}`.match(/(?<![:\w])\w+/g) ?? [];
  const names = [...Object.keys(Key), ...words.filter((word) => !KEYWORDS.test(word))];
  updated.set(TableName, new Set([...(updated.get(TableName) ?? []), ...names]));
};

const recordCall = (operation: string, input: Input): void => {
  const { TableName, IndexName, RequestItems, TransactItems = [] } = input;
  if (operation === 'UpdateItem') recordUpdate(input);
  const parts = TransactItems.flatMap((item) => Object.entries(item));
  calls.push(...parts.map(([kind, part]) => `${ACTIONS[kind]} ${part.TableName}`));
  calls.push(...Object.keys(RequestItems ?? {}).map((name) => `${operation} ${name}`));
  const index = IndexName === undefined ? '' : `/index/${IndexName}`;
  if (TableName !== undefined) calls.push(`${operation} ${TableName}${index}`);
};

/** The responses of SQS, whose digests the SDK checks, and of EventBridge, which confirms each entry. */
const otherResponse = (body: string): string => {
  const { Entries = [], MessageBody = '' } = JSON.parse(body) as {
    readonly Entries?: readonly { readonly Id?: string; readonly MessageBody?: string }[];
    readonly MessageBody?: string;
  };
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
    recordCall(operation, JSON.parse(body) as Input);
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

beforeEach(() => {
  calls.length = 0;
  updated.clear();
  // The receivers' events are of this time.
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Loads a function with the environment of a stage. */
const load = async (name: Tested): Promise<(event: unknown) => Promise<unknown>> => {
  for (const [kind, tableName] of Object.entries(tableNames)) {
    vi.stubEnv(ENV_NAMES[`${kind as TableKind}Table`], tableName);
  }
  const url = 'https://sqs.eu-west-1.amazonaws.com/123456789012/queue';
  const values = {
    stageName: 'test',
    eventBusName: 'bus',
    deliveryQueueUrl: url,
    setAsideQueueUrl: url,
    personalDataDays: '730',
  };
  for (const [key, value] of Object.entries(values)) vi.stubEnv(ENV_NAMES[key as keyof typeof values], value);
  vi.stubEnv(ENV_NAMES.webhookLoopback, 'true');
  for (const service of ['DYNAMODB', 'SQS', 'EVENTBRIDGE']) {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, serverEndpoint);
  }
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  // Another test file may have loaded it with other tables.
  vi.resetModules();
  const { handler } = (await import(`../../functions/${name}/handler.ts`)) as {
    handler: (event: unknown, context: object) => Promise<unknown>;
  };
  return (input) => handler(input, { getRemainingTimeInMillis: () => 20_000 });
};

/** Every call is permitted, and every permission is used. */
const expectPermitted = (name: Tested): void => {
  const accesses: readonly Access[] =
    name === 'sandbox-checkout'
      ? (HTTP_FUNCTIONS.find((each) => each.name === name)?.access ?? [])
      : EVENT_FUNCTIONS[name].access;
  const permitted = accesses.flatMap((access) =>
    PERMISSIONS[access].map(
      ({ table, action, index }) =>
        `${action} ${tableNames[table]}${index === undefined ? '' : `/index/${index}`}`,
    ),
  );
  expect([...new Set(calls)].toSorted()).toStrictEqual([...new Set(permitted)].toSorted());
};

// The first test: the others leave timers.
it('run-due makes 48 queries of the indexes, and nothing else, if nothing is due', async () => {
  const handle = await load('run-due');
  expect(await logged(() => handle({}))).toStrictEqual([]);
  expect(calls).toHaveLength(48);
  expect(calls.filter((call) => !/^Query .+\/index\/timers$/.test(call))).toStrictEqual([]);
});

it('fan-out-events calls what its access permits', async () => {
  const handle = await load('fan-out-events');
  expect(await handle({ Records: [eventRecord(event(1))] })).toStrictEqual({ batchItemFailures: [] });
  expectPermitted('fan-out-events');
});

it('deliver-webhooks calls what its access permits, from a success to an open breaker and a disabled endpoint', async () => {
  const handle = await load('deliver-webhooks');
  for (const status of [200, 500, 410]) {
    const { givenMessages } = await givenReceiver(database, (response) => {
      response.writeHead(status).end();
    });
    await logged(() => handle(batchOf(givenMessages(8).map((message) => messageOf(message)))));
  }
  expectPermitted('deliver-webhooks');
});

/** A live or test cart whose timer is due. */
const givenDueCarts = async (changes: Partial<Cart>): Promise<readonly Cart[]> => {
  const due = (['live', 'test'] as const).map((mode) => waitingCart({ mode, expiresAtMs: 1, ...changes }));
  const { carts, testCarts } = tableNames;
  for (const cart of due) {
    await createCartStore(documents, cart.mode === 'live' ? carts : testCarts, Date.now).create(cart);
  }
  return due;
};

/** Deliveries that are parked, and one whose next attempt is due. */
const givenWaitingDeliveries = async (): Promise<void> => {
  const { endpoint, givenMessages } = await givenReceiver(database);
  const deliveries = createDeliveryStore(documents, tableNames.deliveries, Date.now);
  const timers = createEndpointTimers(documents, tableNames.webhookEndpoints);
  for (const [index, message] of givenMessages(2).entries()) {
    const timer = index === 0 ? parkedTimer(message, 1) : retryTimer(message, 1);
    await deliveries.record(message, { status: 'waiting', next: { attempt: 2, timer } }, Date.now());
  }
  await timers.notePark(endpoint, 1);
  // One without parked deliveries: its timer ends.
  await timers.notePark((await givenReceiver(database)).endpoint, 1);
};

it('run-due calls what its access permits, for each kind of work and for a cart that fails', async () => {
  await givenWaitingDeliveries();
  const deleteAtSeconds = Date.now();
  await givenDueCarts({ deleteAtSeconds });
  await givenDueCarts({ status: 'completed', completedAtMs: 1, deleteAtSeconds: undefined });
  const [broken] = (await givenDueCarts({ deleteAtSeconds })) as [Cart];
  await documents.send(
    new UpdateCommand({
      TableName: tableNames.carts,
      Key: { id: broken.id },
      UpdateExpression: 'REMOVE productName',
    }),
  );
  const handle = await load('run-due');
  const lines = await logged(() => handle({}));
  const worked = lines.flatMap(({ work, handled, failed }) =>
    handled === undefined ? [] : [[work, handled, failed]],
  );
  expect(worked.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toStrictEqual([
    ['live erasures', 1, 0],
    ['live expiries', 1, 1],
    ['probes', 1, 0],
    ['retries', 1, 0],
    ['test erasures', 1, 0],
    ['test expiries', 2, 0],
  ]);
  expectPermitted('run-due');
  // IAM permits no other attribute of a delivery or an endpoint, such as its address.
  for (const kind of ['deliveries', 'webhookEndpoints'] as const) {
    const limited = PERMISSIONS.runTimers.find(
      ({ table, action }) => table === kind && action === 'UpdateItem',
    );
    expect([...(updated.get(tableNames[kind]) ?? [])].toSorted()).toStrictEqual(
      limited?.attributes?.toSorted(),
    );
  }
});

it('sandbox-checkout calls what its access permits, to show, pay and expire test carts', async () => {
  const handle = (await load('sandbox-checkout')) as ProxyFunction;
  const carts = createCartStore(documents, tableNames.testCarts, Date.now);
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
