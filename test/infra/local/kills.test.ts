import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local-access/local-names.ts';
import { startEmbeddedDynamodb } from '../../../infra/local/database/embedded-dynamodb.ts';
import { LOCAL_STATE_TABLE } from '../../../infra/local/database/local-tables.ts';
import {
  type DynamodbProxy,
  type RecordedCall,
  startDynamodbProxy,
} from '../../support/database/dynamodb-proxy.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { eventAbout } from '../../support/domain/payment-events.ts';
import { isListening } from '../../support/http/addresses.ts';
import {
  startWebhookReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '../../support/http/webhook-receiver.ts';
import { stopProcesses } from '../../support/programs/processes.ts';
import { givenStage, SERVICE_WITH_CLOCK, type TestStage } from '../../support/programs/stage-process.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { submitAction } from '../../support/service/sandbox-page.ts';

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

const payInSandbox = (cartId: string): Promise<void> => submitAction(stage.baseUrl, cartId, 'pay');

const payOnBus = async (cartId: string): Promise<void> => {
  const eventBridge = new EventBridgeClient(localClientConfig(stage.dynamodbEndpoint));
  const detail = { mode: 'test', amount: 49.9, occurredAt: new Date().toISOString() };
  const event = JSON.parse(eventAbout(cartId, detail)) as { detail: object };
  const entry = { Source: 'payments', DetailType: 'payment.succeeded', Detail: JSON.stringify(event.detail) };
  expect((await eventBridge.send(new PutEventsCommand({ Entries: [entry] }))).FailedEntryCount).toBe(0);
};

const { deliveries, events, testCarts, webhookEndpoints } = LOCAL_TABLE_NAMES;

const isDeletion =
  (queue: RegExp) =>
  ({ operation, body }: RecordedCall) =>
    operation === 'BatchWriteItem' && queue.test(body) && body.includes('DeleteRequest');

/** A step of a payment: how to pay, and the call of the database that follows the step. */
interface Step {
  readonly name: string;
  readonly pay: (cartId: string) => Promise<void>;
  readonly isNext: (call: RecordedCall) => boolean;
}

const ON_BUS: Step = {
  name: 'on the bus',
  pay: payOnBus,
  isNext: ({ operation, table }) => operation === 'GetItem' && table === testCarts,
};
const RECORDED: Step = { name: 'recorded from its queue', pay: payOnBus, isNext: isDeletion(/"payments"/) };
const LOGGED: Step = {
  name: 'in the event log',
  pay: payInSandbox,
  isNext: ({ table, body }) => table === events && body.includes(':position'),
};
const FANNED_OUT: Step = {
  name: 'fanned out',
  pay: payInSandbox,
  isNext: ({ operation, table }) => operation === 'PutItem' && table === LOCAL_STATE_TABLE.name,
};
const QUEUED: Step = {
  name: 'in the delivery queue',
  pay: payInSandbox,
  isNext: ({ operation, table }) => operation === 'UpdateItem' && table === webhookEndpoints,
};
const SENT: Step = {
  name: 'sent',
  pay: payInSandbox,
  // It notes the result of the attempt.
  isNext: ({ operation, table }) => operation === 'UpdateItem' && table === deliveries,
};
const DELIVERED: Step = {
  name: 'delivered',
  pay: payInSandbox,
  // On a slow machine, the receiver counts as slow.
  isNext: isDeletion(/"(?:slowTest|test)Delivery"/),
};

const deliveriesOf = (cartId: string): WebhookReceiver['received'] =>
  receiver.received.filter(({ body }) => body.includes(cartId));

/** Brings a payment to a step, and holds it there. The steps of a stage begin with the last one: each step blocks those before it. */
const payUntil = async ({ name, pay, isNext }: Step, held: Step['isNext'][]): Promise<string> => {
  const cartId = cartIdOf(await stage.createCart(cartBody(stage.productId), { apiKey: apiKey() }));
  // The payment before has ended its fan-out, except for what is held.
  await expect
    .poll(() => proxy.calls.every((call) => call.isDone || held.some((each) => each(call))))
    .toBe(true);
  proxy.reset();
  held.push(isNext);
  await pay(cartId);
  await expect.poll(() => proxy.calls.some(isNext), { interval: 5, message: name }).toBe(true);
  return cartId;
};

// A stage has three sources: deliveries, the event log and payments. Each kill finds a payment in each of them. The first kill
// also finds an attempt without a result.
test.each(
  [
    [DELIVERED, SENT, FANNED_OUT, RECORDED],
    [QUEUED, LOGGED, ON_BUS],
  ].map((steps) => ({ names: steps.map(({ name }) => name).join(', '), steps })),
)(
  'payments that are $names when their stage is killed arrive from the next one, with the same secret',
  async ({ steps }) => {
    const held: Step['isNext'][] = [];
    proxy.reset();
    proxy.hold((call) => held.some((isNext) => isNext(call)));
    const paid = [];
    for (const step of steps) paid.push({ cartId: await payUntil(step, held), step: step.name });
    stage.child.kill('SIGKILL');
    await stage.ended;
    proxy.release();
    const { webhooks, stores } = stage;
    const before = new Map(paid.map(({ cartId }) => [cartId, deliveriesOf(cartId).length]));

    await start();

    expect(stage.webhooks).toStrictEqual(webhooks);
    expect(webhooks).toMatchObject(stores.map(({ id }) => ({ storeId: id, url: receiver.url })));
    for (const { cartId, step } of paid) {
      await expect
        .poll(() => deliveriesOf(cartId).length, { interval: 10, message: step })
        .toBeGreaterThan(before.get(cartId) ?? 0);
      expect(new Set(deliveriesOf(cartId).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      const event = verifyWebhook(String(webhooks[0]?.secret), deliveriesOf(cartId).at(-1)!);
      expect(event).toMatchObject({ type: 'cart.completed', data: { id: cartId, status: 'completed' } });
      expect((await stage.getCart(cartId, { apiKey: apiKey() })).body['status']).toBe('completed');
    }
  },
);

// The last test: it ends the stage.
test('on SIGHUP, a stage responds to the request in flight, and leaves a database that it did not start', async () => {
  const { child, ended, createCart, productId } = stage;
  const key = await stage.givenKey();
  proxy.reset();
  proxy.hold();
  const response = createCart(cartBody(productId), { apiKey: key });
  // The token of the request: no background work takes one.
  const takesToken = ({ operation, table }: RecordedCall) =>
    operation === 'UpdateItem' && table === LOCAL_TABLE_NAMES.apiKeys;
  await expect.poll(() => proxy.calls.some(takesToken), { interval: 5 }).toBe(true);

  child.kill('SIGHUP');
  proxy.release();

  expect((await response).status).toBe(201);
  const { exitCode, stdout, stderr } = await ended;
  expect(exitCode).toBe(0);
  // Log lines go to standard error.
  expect(stdout).toMatch(/^[^\n]+\n$/);
  expect(stderr).toContain('"status":201');
  expect(await isListening(database.endpoint)).toBe(true);
});
