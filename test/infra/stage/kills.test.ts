import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { LOCAL_TABLE_NAMES, localClientConfig, SOURCES_TABLE } from '../../../infra/local/local-database.ts';
import { eventAbout } from '../../functions/record-payment/events.ts';
import { type DynamodbProxy, type RecordedCall, startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

let database: Awaited<ReturnType<typeof startEmbeddedDynamodb>>;
let proxy: DynamodbProxy;
let receiver: WebhookReceiver;
let stage: TestStage;

const startStage = (): Promise<TestStage> =>
  givenStage(['--dynamodb', proxy.endpoint, '--webhook', receiver.url]);

const payInSandbox = async (cartId: string): Promise<void> => {
  const body = new URLSearchParams({ action: 'pay' });
  const address = `${stage.baseUrl}/sandbox/checkout/${cartId}`;
  expect((await fetch(address, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
};

const payOnBus = async (cartId: string): Promise<void> => {
  const eventBridge = new EventBridgeClient(localClientConfig(stage.dynamodbEndpoint));
  const detail = { mode: 'test', amount: 1_500, currency: 'JPY', occurredAt: new Date().toISOString() };
  const event = JSON.parse(eventAbout(cartId, detail)) as { detail: object };
  const entry = { Source: 'payments', DetailType: 'payment.succeeded', Detail: JSON.stringify(event.detail) };
  expect((await eventBridge.send(new PutEventsCommand({ Entries: [entry] }))).FailedEntryCount).toBe(0);
};

const { events, testCarts, webhookEndpoints } = LOCAL_TABLE_NAMES;

const isDeletion =
  (queue: string) =>
  ({ operation, body }: RecordedCall): boolean =>
    operation === 'BatchWriteItem' && body.includes(`"${queue}"`) && body.includes('DeleteRequest');

interface Step {
  readonly name: string;
  /** The store of the cart: each has a log. */
  readonly store: 0 | 1;
  readonly pay: (cartId: string) => Promise<void>;
  /** The call of the database at which the stage dies. */
  readonly isHeld: (call: RecordedCall, cartId: string) => boolean;
}

/** The ways that a payment has gone when the stage dies. A held call does not stop the payments of the steps after it. */
const STEPS: readonly Step[] = [
  { name: 'delivered', store: 0, pay: payInSandbox, isHeld: isDeletion('deliveries') },
  {
    name: 'in the delivery queue',
    store: 0,
    pay: payInSandbox,
    isHeld: ({ operation, table }) => operation === 'UpdateItem' && table === webhookEndpoints,
  },
  {
    name: 'fanned out',
    store: 0,
    pay: payInSandbox,
    // The position after the third event: a log begins at a multiple of ten.
    isHeld: ({ operation, table, body }) =>
      operation === 'PutItem' && table === SOURCES_TABLE.name && /"sequence":\{"N":"\d+2"\}/.test(body),
  },
  {
    name: 'in the event log',
    store: 1,
    pay: payInSandbox,
    isHeld: ({ table, body }) =>
      table === events && body.includes(':position') && body.includes('test#demo-store-two'),
  },
  { name: 'recorded from its queue', store: 1, pay: payOnBus, isHeld: isDeletion('payments') },
  {
    name: 'on the bus',
    store: 1,
    pay: payOnBus,
    isHeld: ({ operation, table, body }, cartId) =>
      operation === 'GetItem' && table === testCarts && body.includes(cartId),
  },
];

const cartIds = new Map<Step, string>();
/** The webhooks that the receiver got before the end of the first stage. */
let receivedBefore: number;

const createCart = async ({ store }: Step): Promise<string> => {
  const { apiKey, products } = stage.stores[store]!;
  const product = products.find(({ pricing, available }) => pricing === 'fixed' && available);
  return cartIdOf(await stage.createCart(cartBody(String(product?.id)), { apiKey }));
};

/** Brings a payment to each step in one stage, kills that, and starts the next. */
beforeAll(async () => {
  database = await startEmbeddedDynamodb({ data: 'memory' });
  proxy = await startDynamodbProxy(database.endpoint);
  receiver = await startWebhookReceiver();
  stage = await startStage();
  const holds: ((call: RecordedCall) => boolean)[] = [];
  proxy.hold((call) => holds.some((isHeld) => isHeld(call)));
  for (const step of STEPS) {
    const cartId = await createCart(step);
    cartIds.set(step, cartId);
    const reached = Promise.withResolvers<void>();
    holds.push((call) => {
      const isHeld = step.isHeld(call, cartId);
      if (isHeld) reached.resolve();
      return isHeld;
    });
    await step.pay(cartId);
    await reached.promise;
  }
  stage.child.kill('SIGKILL');
  await stage.ended;
  receivedBefore = receiver.received.length;
  holds.length = 0;
  proxy.release();
  stage = await startStage();
});

afterAll(async () => {
  await stopProcesses();
  await Promise.all([proxy.close(), receiver.close()]);
  await database.close();
});

test.each(STEPS)(
  'a payment that is $name when its stage is killed arrives from the next one',
  async (step) => {
    const cartId = String(cartIds.get(step));
    const arrived = (since: number) =>
      receiver.received.slice(since).filter(({ body }) => body.includes(cartId));

    await expect.poll(() => arrived(receivedBefore).length, { interval: 10 }).toBeGreaterThan(0);

    expect(new Set(arrived(0).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { apiKey } = stage.stores[step.store]!;
    expect((await stage.getCart(cartId, { apiKey })).body['status']).toBe('completed');
  },
);
