import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cartBody } from '../../support/domain/cart-body.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '../../support/http/webhook-receiver.ts';
import { stopProcesses } from '../../support/programs/processes.ts';
import { givenStage, SERVICE_WITH_CLOCK, type TestStage } from '../../support/programs/stage-process.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { submitAction } from '../../support/service/sandbox-page.ts';

/** Longer than a message in flight is invisible, and than its attempt holds its lease. */
const IN_FLIGHT_MS = 120_000;

let flags: readonly string[];
let receiver: WebhookReceiver;
let stage: TestStage;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const data = join(mkdtempSync(join(tmpdir(), 'webhooks-')), 'dynamodb.sqlite');
  flags = ['--data', data, '--webhook', receiver.url];
  stage = await givenStage(flags);
});

afterAll(async () => {
  await stopProcesses();
  await receiver.close();
});

const createCart = async (): Promise<string> => {
  const apiKey = stage.stores[0]?.apiKey;
  return cartIdOf(await stage.createCart(cartBody(stage.productId), { apiKey }));
};

const pay = (cartId: string): Promise<void> => submitAction(stage.baseUrl, cartId, 'pay');

/** Waits for webhooks whose body contains a text. */
const receivedWith = async (text: string, count = 1): Promise<readonly ReceivedWebhook[]> => {
  const found = () => receiver.received.filter(({ body }) => body.includes(text));
  await expect.poll(() => found().length, { interval: 10 }).toBe(count);
  return found();
};

test('a payment that a killed stage had not delivered arrives from the next one, with the same secret', async () => {
  receiver.respond('hang');
  const { webhooks } = stage;
  const cartId = await createCart();
  await pay(cartId);
  const [first] = await receivedWith(cartId);

  stage.child.kill('SIGKILL');
  await stage.ended;
  receiver.respond(204);
  stage = await givenStage(flags, SERVICE_WITH_CLOCK, { CLOCK_OFFSET_MS: String(IN_FLIGHT_MS) });

  const [, second] = await receivedWith(cartId, 2);
  expect(stage.webhooks).toEqual(webhooks);
  expect(webhooks.map(({ storeId, url }) => [storeId, url])).toEqual(
    stage.stores.map(({ id }) => [id, receiver.url]),
  );
  const event = verifyWebhook(String(webhooks[0]?.secret), second as ReceivedWebhook);
  expect(event).toMatchObject({ type: 'cart.completed', data: { id: cartId, status: 'completed' } });
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('an endpoint that responds 410 is disabled: the feed has the event, and the other endpoint of the store gets it', async () => {
  const gone = await startWebhookReceiver();
  onTestFinished(() => gone.close());
  gone.respond(410);
  const apiKey = await stage.givenKey();
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    return (await fetch(`${stage.baseUrl}/api/v1/stores/${path}`, { ...init, headers })).json();
  };
  const post = (path: string, body?: object) =>
    call(`webhook-endpoints${path}`, { method: 'POST', body: JSON.stringify(body) });
  const { webhookEndpoint } = (await post('', { url: gone.url })) as { webhookEndpoint: { id: string } };
  const { id } = webhookEndpoint;
  await post(`/${id}/test`);

  const [sent] = await receivedWith('"webhook_endpoint.disabled"');
  const event = JSON.parse(sent!.body) as unknown;
  expect(event).toMatchObject({ data: { id, enabled: false, disabledReason: 'gone' } });
  expect(await call('events')).toMatchObject({ events: expect.arrayContaining([event]) });
  expect(gone.received).toHaveLength(1);
});
