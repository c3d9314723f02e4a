import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Access, EVENT_FUNCTIONS, HTTP_FUNCTIONS } from '../../functions/operations.ts';
import { listen } from '../../infra/local/gateway/listen.ts';
import { PERMISSIONS } from '../../infra/stack/permissions.ts';
import type { TableKind } from '../../infra/tables.ts';
import { createErasureSchedule } from '../../lib/buyers/erasure-schedule.ts';
import { toItem } from '../../lib/carts/cart-item.ts';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import { createDueStore } from '../../lib/due/due-store.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { createParkedDeliveries, isParkable } from '../../lib/webhooks/parked-deliveries.ts';
import { event, eventRecord, recordOf } from '../lib/events/events.ts';
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

/** The calls of DynamoDB since the start of the test as `action table`. IAM checks each write of a transaction by itself. */
const calls: string[] = [];

interface Input {
  readonly TableName?: string;
  readonly RequestItems?: object;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
}

const recordCall = (operation: string, { TableName, RequestItems, TransactItems = [] }: Input): void => {
  const parts = TransactItems.flatMap((item) => Object.entries(item));
  calls.push(...parts.map(([kind, part]) => `${ACTIONS[kind]} ${part.TableName}`));
  calls.push(...Object.keys(RequestItems ?? {}).map((name) => `${operation} ${name}`));
  if (TableName !== undefined) calls.push(`${operation} ${TableName}`);
};

/** The response of SQS, whose digest the SDK checks. EventBridge ignores the field. */
const otherResponse = (body: string): string => {
  const { MessageBody = '' } = JSON.parse(body) as { readonly MessageBody?: string };
  return JSON.stringify({ MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') });
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
});

afterEach(() => {
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
    PERMISSIONS[access].map(({ table, action }) => `${action} ${tableNames[table]}`),
  );
  expect([...new Set(calls)].toSorted()).toStrictEqual([...new Set(permitted)].toSorted());
};

it('schedule-expiries calls what its access permits', async () => {
  const handle = await load('schedule-expiries');
  expect(await handle({ Records: [recordOf(toItem(waitingCart()), '1')] })).toStrictEqual({
    batchItemFailures: [],
  });
  expectPermitted('schedule-expiries');
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

it('run-due calls what its access permits, for each kind of entry and for one that fails', async () => {
  const due = createDueStore(documents, tableNames.due, Date.now);
  const { endpoint, givenMessages } = await givenReceiver(database);
  await createParkedDeliveries(documents, tableNames.due).park(givenMessages(2).filter(isParkable));
  const carts = (['live', 'test'] as const).map((mode) =>
    waitingCart({ mode, expiresAtMs: 1, deleteAtSeconds: Date.now() }),
  );
  const { carts: live, testCarts: test } = tableNames;
  await Promise.all(
    carts.map((cart) =>
      createCartStore(documents, cart.mode === 'live' ? live : test, Date.now).create(cart),
    ),
  );
  const ref = { storeId: endpoint.storeId, mode: endpoint.mode, endpointId: endpoint.endpointId };
  const entries = [
    ...carts.map(({ mode, id }) => ({ kind: 'expiry', mode, cartIds: [id] }) as const),
    { kind: 'attempt', endpoint: ref, sequence: 1, attempt: 3 } as const,
    { kind: 'drain', endpoint: ref } as const,
    { kind: 'unknown' } as unknown as { kind: 'drain'; endpoint: typeof ref },
  ];
  await due.put(entries.map((entry, index) => ({ id: `${index}`, dueAtMs: 1, entry })));
  const completed = (['live', 'test'] as const).map((mode) =>
    waitingCart({ mode, status: 'completed', updatedAtMs: 1, deleteAtSeconds: undefined }),
  );
  await Promise.all(
    completed.map((cart) =>
      createCartStore(documents, cart.mode === 'live' ? live : test, Date.now).create(cart),
    ),
  );
  await createErasureSchedule(documents, tableNames.due).put(completed);
  const handle = await load('run-due');
  const lines = await logged(() => handle({}));
  expect(lines).toContainEqual(expect.objectContaining({ failed: 1, abandoned: { live: 1, test: 1 } }));
  expect(lines.at(-1)).toMatchObject({ message: 'erasures', erased: { live: 1, test: 1 }, failed: 0 });
  expectPermitted('run-due');
});

it('sandbox-checkout calls what its access permits, to show, pay and expire test carts', async () => {
  const handle = (await load('sandbox-checkout')) as ProxyFunction;
  const carts = createCartStore(documents, tableNames.testCarts, Date.now);
  const send = async (name: 'openSandboxCheckout' | 'submitSandboxCheckout', cartId: string, body = '') => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return (await invoke(handle, name, { pathParameters: { cartId }, headers, body }, Date.now)).status;
  };
  // The last payment is late, and schedules the erasure of its cart.
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
