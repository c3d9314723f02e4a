import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsPage } from '../../infra/errors-page/errors-page.ts';
import { callJson, inventory } from '../support/deploy/aws.ts';
import { assertLoopback, type Emulator, startEmulator } from '../support/deploy/emulator.ts';
import {
  bootstrap,
  createDeployment,
  type DeployedStage,
  type Deployment,
  emulatorTarget,
} from '../support/deploy/stage.ts';
import { createCart, addStoreWithKey } from '../support/deploy/store.ts';
import { waitUntil } from '../support/deploy/test-carts.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { BUYER } from '../support/secrets.ts';
import { cartIdOf } from '../support/service/http-client.ts';
import { submitAction } from '../support/service/sandbox-page.ts';
import { describeEvents, describeInternalRoute } from './events.ts';
import { describeRetention } from './retention.ts';

/** Two branches whose names begin alike and are too long for a stage name. */
const BRANCHES = ['feature/checkout-of-carts-in-euro', 'feature/checkout-of-carts-in-yen'] as const;

interface PreparedStage extends DeployedStage {
  readonly apiKey: string;
  /** The id of a product that the other stage does not have. */
  readonly ownProductId: string;
}

let emulator: Emulator;
let receiver: WebhookReceiver;
let before: Record<string, string>;
let first: PreparedStage;
let second: PreparedStage;
const deployments: Deployment[] = [];

/** Deploys a stage, and gives it a key and two products. */
const prepare = async (deployment: Deployment): Promise<PreparedStage> => {
  const stage = await deployment.deploy({ webhookLoopback: 'true', dashboard: 'true' });
  const ownProductId = `own-${randomUUID()}`;
  return { ...stage, apiKey: await addStoreWithKey(stage, ['course', ownProductId]), ownProductId };
};

beforeAll(async () => {
  emulator = await startEmulator();
  await bootstrap(emulator.endpoint);
  before = await inventory(emulator.endpoint);
  // The acceptance suite reads it. An emulator without a network finds no public address.
  receiver = await startWebhookReceiver();
  process.env['WEBHOOK_URL'] = receiver.url;
  deployments.push(...BRANCHES.map((branch) => createDeployment(emulatorTarget(emulator.endpoint), branch)));
  first = await prepare(deployments[0]!);
  second = await prepare(deployments[1]!);
  process.stdout.write(
    `Deployed in ${first.deploySeconds.toFixed(1)} s and ${second.deploySeconds.toFixed(1)} s.\n`,
  );
});

afterAll(async () => {
  try {
    for (const deployment of deployments) await deployment.destroy();
    const after = await inventory(emulator.endpoint);
    expect(after, 'resources that two destroyed stages leave behind').toStrictEqual(before);
  } finally {
    await receiver.close();
    await emulator.stop();
  }
});

const statusOf = async ({ client, apiKey }: PreparedStage, cartId: string) =>
  (await client.getCart(cartId, { apiKey })).body;

/** Retrieves the cart until it has the status. */
const untilStatus = (stage: PreparedStage, cartId: string, status: string) =>
  waitUntil(async () => {
    const cart = await statusOf(stage, cartId);
    return cart['status'] === status && cart;
  });

/** The detail of a payment event for a test cart of `course`. */
const paymentEvent = (cartId: string, changes: object = {}) => ({
  eventId: randomUUID(),
  cartId,
  mode: 'test',
  paymentId: randomUUID(),
  amount: 49.9,
  currency: 'EUR',
  occurredAt: new Date().toISOString(),
  ...changes,
});

const putEvent = (
  stage: PreparedStage,
  detailType: string,
  detail: object,
  Source = 'payments',
): Promise<string> =>
  callJson(emulator.endpoint, 'events', 'AWSEvents.PutEvents', {
    Entries: [
      {
        EventBusName: stage.outputs['EventBusName'],
        Source,
        DetailType: detailType,
        Detail: JSON.stringify(detail),
      },
    ],
  });

describe('the emulator', () => {
  it.each([
    'https://dynamodb.eu-west-1.amazonaws.com',
    'http://10.0.0.1:4566',
    'http://localhost.example.com',
  ])('must be on this machine, not at %s', (endpoint) => {
    expect(() => assertLoopback(endpoint)).toThrow('only to an emulator on this machine');
  });
});

describe('a deployed stage', () => {
  it.each([0, 1])('of a branch passes the acceptance suite: %i', async (index) => {
    const stage = index === 0 ? first : second;
    expect(await stage.accept()).toMatchObject({ baseUrl: stage.baseUrl, accepted: true });
  });

  it('passes the checks of npm run test:aws that the emulator permits', async () => {
    const env = { ...process.env, AWS_ENDPOINT_URL: emulator.endpoint };
    const command = ['run', '--silent', 'test:aws', '--', '--emulator'];
    const { stdout } = await promisify(execFile)('npm', command, { env });
    expect(stdout).toMatch(/^the destruction leaves nothing +passed +of \d{2,} resources$/m);
    expect(stdout).toMatch(/^the role of get-cart may not write a live cart +not checked by the emulator$/m);
  });

  it('lists who issued a key, and how it ended', async () => {
    const { keyId } = await first.operate('keys', 'issue', '--store', 'shop');
    await first.operate('keys', 'revoke', String(keyId));
    const { changes } = await first.operate('audit', 'list', '--command', 'keys', '--limit', '2');
    const caller = expect.stringMatching(/^arn:aws:/);
    expect(changes).toMatchObject([
      { command: 'keys revoke', outcome: 'done', caller, ids: { keyId } },
      { command: 'keys issue', outcome: 'done', caller, ids: { keyId, storeId: 'shop', mode: 'test' } },
    ]);
    expect((await second.operate('audit', 'list'))['changes']).not.toContainEqual(
      expect.objectContaining({ ids: expect.objectContaining({ keyId }) }),
    );
  });

  it("knows none of another stage's keys, carts and products", async () => {
    const cartId = await createCart(first);
    expect(await second.client.getCart(cartId, { apiKey: first.apiKey })).toMatchObject({ status: 401 });
    expect(await second.client.getCart(cartId, { apiKey: second.apiKey })).toMatchObject({ status: 404 });
    const body = JSON.stringify({ productDocumentId: first.ownProductId, ...BUYER });
    expect(await second.client.createCart(body, { apiKey: second.apiKey })).toMatchObject({ status: 400 });
  });

  it('links the errors of its functions and of its gateway to its own page of errors', async () => {
    const { client, outputs, apiKey, baseUrl } = first;
    const linkTo = (code: string) => `<${outputs['BaseUrl']}errors#${code}>; rel="help"`;
    const ofFunction = await client.createCart('{}', { apiKey });
    expect(ofFunction.headers).toMatchObject({ link: linkTo('VALIDATION_ERROR') });
    const ofGateway = await client.send('GET', '/nothing');
    expect(ofGateway.headers).toMatchObject({ link: linkTo('NOT_FOUND') });
    expect(await (await fetch(`${baseUrl}/errors`)).text()).toBe(errorsPage());
  });

  it('completes a cart after a payment event on its bus', async () => {
    const cartId = await createCart(first);
    const event = paymentEvent(cartId);
    // The rule ignores this source. Otherwise, the event would complete the cart, because it is sent first.
    await putEvent(first, 'payment.succeeded', paymentEvent(cartId), 'stranger');
    await putEvent(first, 'payment.succeeded', event);
    expect(await untilStatus(first, cartId, 'completed')).toMatchObject({ paymentId: event.paymentId });
  });

  it('completes one cart by a payment, and keeps it at a second one', async () => {
    const [cartId, otherCartId] = [await createCart(first), await createCart(first)];
    const { paymentId } = paymentEvent(cartId);
    await putEvent(first, 'payment.succeeded', paymentEvent(cartId, { paymentId }));
    await untilStatus(first, cartId, 'completed');
    await putEvent(first, 'payment.succeeded', paymentEvent(otherCartId, { paymentId }));
    await putEvent(first, 'payment.succeeded', paymentEvent(cartId));
    await putEvent(first, 'payment.failed', paymentEvent(otherCartId));
    expect(await untilStatus(first, otherCartId, 'payment_failed')).not.toMatchObject({ paymentId });
    const shown = await waitUntil(async () => {
      const cart = await first.operate('carts', 'show', cartId);
      return (cart['duplicatePaymentIds'] as string[]).length > 0 && cart;
    });
    expect(shown).toMatchObject({ status: 'completed', paymentId });
    const list = await first.operate('carts', 'list', '--store', 'shop', '--status', 'completed');
    expect(list['carts']).toContainEqual(expect.objectContaining({ id: cartId }));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { stats } = await first.operate('stats', '--store', 'shop', '--mode', 'test', '--since', since);
    const [counts] = stats as readonly { readonly completed: number }[];
    expect(counts?.completed).toBe((list['carts'] as readonly object[]).length);
  });

  it('shows a test cart on its payment page, and completes it there', async () => {
    const cartId = await createCart(first);
    const shown = await fetch(`${first.baseUrl}/sandbox/checkout/${cartId}`);
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain('Course');
    await submitAction(first.baseUrl, cartId, 'pay');
    expect(await statusOf(first, cartId)).toMatchObject({ status: 'completed' });
  });

  it("exports and erases a buyer's data, once, and keeps the payment", async () => {
    const buyer = { ...BUYER, email: `${randomUUID()}@buyer.example` };
    const body = JSON.stringify({ productDocumentId: 'course', ...buyer, meta: { order: 'A-1' } });
    const cartId = cartIdOf(await first.client.createCart(body, { apiKey: first.apiKey }));
    const event = paymentEvent(cartId);
    await putEvent(first, 'payment.succeeded', event);
    const paid = await untilStatus(first, cartId, 'completed');
    const flags = ['--email', buyer.email.toUpperCase(), '--store', 'shop'];
    expect(await first.operate('buyers', 'export', ...flags)).toMatchObject({
      carts: [{ id: cartId, customerInfo: buyer, payments: [{ paymentId: event.paymentId }] }],
      events: [{ event: { type: 'cart.completed' } }],
    });
    const erased = { carts: { live: 0, test: 1 }, events: 1, cartIds: [cartId] };
    expect(await first.operate('buyers', 'erase', ...flags)).toMatchObject(erased);
    expect(await statusOf(first, cartId)).toStrictEqual({ ...paid, customerInfo: {}, meta: {} });
    expect(await first.operate('buyers', 'erase', ...flags)).toMatchObject({ events: 0, cartIds: [] });
  });

  // The emulator restores the present state, whatever the time.
  it('brings a deleted cart back from a restored table', async () => {
    const cartId = await createCart(first);
    const cart = await statusOf(first, cartId);
    const call = (operation: string, input: object) =>
      callJson(emulator.endpoint, 'dynamodb', `DynamoDB_20120810.${operation}`, input);
    const TableName = first.outputs['TestCartsTable'];
    const [from, at] = ['carts-restored', Date.now() - 1_000];
    const restored = { SourceTableName: TableName, TargetTableName: from, RestoreDateTime: at / 1_000 };
    await call('RestoreTableToPointInTime', restored);
    const flags = ['--table', 'TestCarts', '--at', new Date(at).toISOString(), '--from', from];
    expect(await first.operate('restore', 'items', ...flags, '--dry-run')).toMatchObject({
      missing: 0,
      copied: 0,
    });
    await call('DeleteItem', { TableName, Key: { id: { S: cartId } } });
    expect(await first.operate('restore', 'items', ...flags)).toMatchObject({ missing: 1, copied: 1 });
    expect(await statusOf(first, cartId)).toStrictEqual(cart);
    await call('DeleteTable', { TableName: from });
  });

  it('rejects a payment of another amount, and records the next one', async () => {
    const cartId = await createCart(first);
    await putEvent(first, 'payment.succeeded', paymentEvent(cartId, { amount: 49 }));
    await putEvent(first, 'payment.failed', paymentEvent(cartId));
    expect(await untilStatus(first, cartId, 'payment_failed')).toMatchObject({ status: 'payment_failed' });
  });

  it('lists its dead letters with a verdict, redrives those that can be recorded, and removes one by its id', async () => {
    const [cartId, otherCartId] = [await createCart(second), await createCart(second)];
    const details = [paymentEvent(cartId), paymentEvent(otherCartId, { amount: 49 })];
    const bodies = details.map((detail) =>
      JSON.stringify({ 'detail-type': 'payment.succeeded', source: 'payments', detail }),
    );
    for (const MessageBody of ['no event', ...bodies]) {
      const QueueUrl = second.outputs['PaymentDeadLetterQueueUrl'];
      await callJson(emulator.endpoint, 'sqs', 'AmazonSQS.SendMessage', { QueueUrl, MessageBody });
    }
    const letters = async () =>
      (await second.operate('dead-letters', 'list'))['deadLetters'] as {
        messageId: string;
        verdict: string;
        payment?: { cartId: string };
      }[];
    const verdictsOf = async () =>
      (await letters()).map(({ payment, verdict }) => `${payment?.cartId} ${verdict}`).toSorted();
    const rejected = [`${otherCartId} amountMismatch`, 'undefined malformedEvent'].toSorted();
    // Twice: listing leaves the letters in the queue.
    expect(await verdictsOf()).toStrictEqual([...rejected, `${cartId} recorded`].toSorted());
    expect(await verdictsOf()).toStrictEqual([...rejected, `${cartId} recorded`].toSorted());

    expect(await second.operate('dead-letters', 'redrive', '--yes')).toStrictEqual({ redriven: 1, left: 2 });
    expect(await untilStatus(second, cartId, 'completed')).toMatchObject({ status: 'completed' });
    expect(await verdictsOf()).toStrictEqual(rejected);

    for (const { messageId } of await letters()) {
      const removed = await second.operate('dead-letters', 'remove', messageId, '--yes');
      expect(removed).toStrictEqual({ removed: 1 });
    }
    expect(await verdictsOf()).toStrictEqual([]);
    expect(await statusOf(second, otherCartId)).toMatchObject({ status: 'waiting_payment' });
  });
});

const tests = { endpoint: () => emulator.endpoint, stage: () => first, createCart };
// Before the events: their receiver is gone in the end, and a payment causes a webhook.
describeRetention(tests);
describeEvents(tests);
describeInternalRoute(tests);
