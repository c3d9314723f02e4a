import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedDynamodb } from '../../../../infra/local/database/embedded-dynamodb.ts';
import { SOURCES_TABLE } from '../../../../infra/local/database/local-database.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { eventAbout } from '../../../support/domain/payment-events.ts';
import {
  type DynamodbProxy,
  type RecordedCall,
  startDynamodbProxy,
} from '../../../support/database/dynamodb-proxy.ts';
import { cartIdOf } from '../../../support/service/http-client.ts';
import { stopProcesses } from '../../../support/programs/processes.ts';
import { cartBody } from '../../../support/domain/cart-body.ts';
import { givenStage, SERVICE_WITH_CLOCK, type TestStage } from '../../../support/programs/stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/http/webhook-receiver.ts';

let database: Awaited<ReturnType<typeof startEmbeddedDynamodb>>;
let proxy: DynamodbProxy;
let receiver: WebhookReceiver;
let stage: TestStage;
let offsetMs = 0;

/** Longer than an attempt of a killed stage holds its lease. */
const LEASE_MS = 60_000;

/** Starts the first stage, and later ones behind the leases of those before. */
const start = async (): Promise<void> => {
  const flags = ['--dynamodb', proxy.endpoint, '--webhook', receiver.url];
  stage = await givenStage(flags, SERVICE_WITH_CLOCK, { CLOCK_OFFSET_MS: String(offsetMs) });
  offsetMs += LEASE_MS;
};

beforeAll(async () => {
  database = await startEmbeddedDynamodb({ data: 'memory' });
  proxy = await startDynamodbProxy(database.endpoint);
  receiver = await startWebhookReceiver();
  await start();
});

afterAll(async () => {
  await stopProcesses();
  await Promise.all([proxy.close(), receiver.close()]);
  await database.close();
});

const apiKey = (): string => String(stage.stores[0]?.apiKey);

const payInSandbox = async (cartId: string): Promise<void> => {
  const body = new URLSearchParams({ action: 'pay' });
  const address = `${stage.baseUrl}/sandbox/checkout/${cartId}`;
  expect((await fetch(address, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
};

const payOnBus = async (cartId: string): Promise<void> => {
  const eventBridge = new EventBridgeClient(localClientConfig(stage.dynamodbEndpoint));
  const detail = { mode: 'test', amount: 49.9, occurredAt: new Date().toISOString() };
  const event = JSON.parse(eventAbout(cartId, detail)) as { detail: object };
  const entry = { Source: 'payments', DetailType: 'payment.succeeded', Detail: JSON.stringify(event.detail) };
  expect((await eventBridge.send(new PutEventsCommand({ Entries: [entry] }))).FailedEntryCount).toBe(0);
};

const { events, testCarts, webhookEndpoints } = LOCAL_TABLE_NAMES;

const isDeletion =
  (queue: string) =>
  ({ operation, body }: RecordedCall) =>
    operation === 'BatchWriteItem' && body.includes(`"${queue}"`) && body.includes('DeleteRequest');

/** The call of the database at which the stage dies, after the step before it. */
const STEPS: readonly (readonly [
  step: string,
  pay: (cartId: string) => Promise<void>,
  isHeld: (call: RecordedCall) => boolean,
])[] = [
  ['on the bus', payOnBus, ({ operation, table }) => operation === 'GetItem' && table === testCarts],
  ['recorded from its queue', payOnBus, isDeletion('payments')],
  ['in the event log', payInSandbox, ({ table, body }) => table === events && body.includes(':position')],
  [
    'fanned out',
    payInSandbox,
    ({ operation, table }) => operation === 'PutItem' && table === SOURCES_TABLE.name,
  ],
  [
    'in the delivery queue',
    payInSandbox,
    ({ operation, table }) => operation === 'UpdateItem' && table === webhookEndpoints,
  ],
  ['delivered', payInSandbox, isDeletion('test-deliveries')],
];

test.each(STEPS)(
  'a payment that is %s when its stage is killed arrives from the next one',
  async (_, pay, isHeld) => {
    const cartId = cartIdOf(await stage.createCart(cartBody(stage.productId), { apiKey: apiKey() }));
    proxy.reset();
    proxy.hold(isHeld);
    await pay(cartId);
    await expect.poll(() => proxy.calls.some(isHeld), { interval: 5 }).toBe(true);
    stage.child.kill('SIGKILL');
    await stage.ended;
    proxy.release();
    const before = receiver.received.filter(({ body }) => body.includes(cartId));

    await start();

    await expect
      .poll(() => receiver.received.filter(({ body }) => body.includes(cartId)).length, { interval: 10 })
      .toBeGreaterThan(before.length);
    const received = receiver.received.filter(({ body }) => body.includes(cartId));
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await stage.getCart(cartId, { apiKey: apiKey() })).body['status']).toBe('completed');
  },
);
