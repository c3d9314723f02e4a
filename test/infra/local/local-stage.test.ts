import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { CartCheckout } from 'cart-checkout-client';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startDynamodbProxy } from '../../support/database/dynamodb-proxy.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { isListening } from '../../support/http/addresses.ts';
import { startWebhookReceiver } from '../../support/http/webhook-receiver.ts';
import { run, stopProcesses } from '../../support/programs/processes.ts';
import {
  givenSharedStage,
  SHARED_CHECKOUT_URL,
  type TestStage,
} from '../../support/programs/stage-process.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { submitAction } from '../../support/service/sandbox-page.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenSharedStage();
});

afterAll(stopProcesses);

/** Runs the line in a shell. On a machine without curl, it prints a warning and uses a stand-in. */
const runCurlLine = async (curlLine: string): Promise<{ stdout: string }> => {
  const paste = (line: string) =>
    promisify(execFile)('sh', ['-c', line], { env: { ...process.env, NO_PROXY: '127.0.0.1' } });
  try {
    return await paste(curlLine);
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 127;
    if (!isMissing) throw error;
    console.warn('THIS MACHINE HAS NO curl: a stand-in ran the printed line.');
    return paste(curlLine.replace(/^curl/, `'${process.execPath}' test/support/http/curl-stand-in.ts`));
  }
};

/** Repeats the line after a 503, as a client does: a busy machine may respond so. */
const runUnlessBusy = async (curlLine: string): Promise<{ stdout: string }> => {
  const result = await runCurlLine(curlLine);
  return result.stdout.startsWith('HTTP/1.1 503') ? runUnlessBusy(curlLine) : result;
};

describe('the line of --json', () => {
  test('names the address, the guarded database, and two stores with three products each', async () => {
    const { baseUrl, dynamodbEndpoint, stores, webhooks } = stage;
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const store = {
      id: expect.stringMatching(/./),
      apiKey: expect.stringMatching(/^cck_test_[0-9A-Za-z]{38}$/),
      products: [
        { id: expect.stringMatching(/./), pricing: 'fixed', available: true },
        { id: expect.stringMatching(/./), pricing: 'free', available: true },
        { id: expect.stringMatching(/./), pricing: 'fixed', available: false },
      ],
    };

    expect({ baseUrl, dynamodbEndpoint, stores, webhooks }).toEqual({
      baseUrl: address,
      dynamodbEndpoint: address,
      stores: [store, store],
      webhooks: [],
    });
    // Node's fetch sends Sec-Fetch-Mode, as a browser does.
    expect((await fetch(dynamodbEndpoint)).status).toBe(403);
    const names = stores.flatMap(({ id, apiKey, products }) => [id, apiKey, ...products.map((p) => p.id)]);
    expect(new Set(names).size).toBe(2 * (2 + 3));
  });

  test('describes each product as it behaves, for its own store only', async () => {
    const outcomes = async (apiKey: string, products: TestStage['stores'][number]['products']) =>
      Promise.all(
        products.map(async ({ id, pricing }) => {
          const changes = pricing === 'free' ? { customerPrice: 500 } : {};
          return (await stage.createCart(cartBody(id, changes), { apiKey })).status;
        }),
      );

    for (const { apiKey, products } of stage.stores) {
      const other = stage.stores.find((store) => store.apiKey !== apiKey);
      expect(await outcomes(apiKey, products)).toEqual([201, 201, 400]);
      expect(await outcomes(apiKey, other?.products ?? [])).toEqual([400, 400, 400]);
    }
  });
});

test('`npm start` prints its address, a key and a curl line that works, and ends on SIGTERM', async () => {
  const npm = spawn('npm', ['start', '--silent', '--', '--port', '0', '--data', 'memory'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  const closed = once(npm, 'close');
  let stdout = '';
  npm.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  await expect.poll(() => stdout).toMatch(/^curl .*\n/m);
  const text = stdout;

  const [store] = stage.stores;
  for (const name of [store?.id, store?.apiKey]) expect(text).toContain(name);
  const curl = await runUnlessBusy(/^curl .*$/m.exec(text)?.[0] ?? '');
  expect(curl.stdout).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  expect(curl.stdout.split('\r\n\r\n')[1]).toContain('"status":"waiting_payment"');

  npm.kill('SIGTERM');
  await closed;

  // The text contains no log line.
  expect(stdout).toBe(text);
  const addresses = text.match(/http:\/\/127\.0\.0\.1:[1-9]\d*(?=\/$)/gm) ?? [];
  expect(addresses).toHaveLength(1);
  for (const address of addresses) expect(await isListening(address)).toBe(false);
});

test('buyers of live carts pay at --checkout-url, those of test carts in the sandbox of the stage', async () => {
  for (const [mode, address] of [
    ['live', SHARED_CHECKOUT_URL],
    ['test', `${stage.baseUrl}/sandbox/checkout`],
  ] as const) {
    const apiKey = await stage.givenKey({ mode });
    const created = await stage.createCart(cartBody(stage.productId), { apiKey });
    expect(created.body['redirectUrl']).toBe(`${address}/${cartIdOf(created)}`);
  }
});

test('each event of the deployed bus about a cart is printed on standard error', async () => {
  const [store] = stage.stores;
  const cartId = cartIdOf(await stage.createCart(cartBody('one-course'), { apiKey: store?.apiKey }));
  for (const action of ['leave', 'wrong_amount', 'decline', 'decline', 'pay', 'pay', 'decline'] as const)
    await submitAction(stage.baseUrl, cartId, action);

  const isEvent = (line: string): boolean => line.includes('"detail-type"') && line.includes(cartId);
  const events = (): string[] => stage.stderr().split('\n').filter(isEvent);
  await expect.poll(events).toHaveLength(4);
  const uuid: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const event = (type: string, data: object) => ({
    source: 'cart-checkout',
    'detail-type': type,
    detail: {
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      store: { id: store?.id, name: 'Demo store one' },
      mode: 'test',
      // Without the buyer: a deployed stage sends the whole cart.
      data: { id: cartId, paymentId: uuid, ...data },
    },
  });
  expect(events().map((line) => JSON.parse(line) as unknown)).toStrictEqual([
    event('cart.payment_failed', { status: 'payment_failed' }),
    event('cart.payment_failed', { status: 'payment_failed' }),
    event('cart.completed', { status: 'completed' }),
    event('cart.duplicate_payment', { status: 'completed', duplicatePaymentId: uuid }),
  ]);
});

test('an endpoint that responds 410 is disabled: the feed has the event, and the other endpoint of the store gets it', async () => {
  const [gone, other] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
  onTestFinished(async () => void (await Promise.all([gone.close(), other.close()])));
  gone.respond(410);
  const client = new CartCheckout({ baseUrl: stage.baseUrl, apiKey: await stage.givenKey() });
  const { webhookEndpoint: witness } = await client.createWebhookEndpoint({ url: other.url });
  // It gets the test event alone, not that of the other endpoint's creation.
  const endpoint = { url: gone.url, eventTypes: ['cart.abandoned' as const] };
  const { id } = (await client.createWebhookEndpoint(endpoint)).webhookEndpoint;
  await client.testWebhookEndpoint(id);

  const received = () => other.received.find(({ body }) => body.includes('"webhook_endpoint.disabled"'));
  await expect.poll(received).toBeDefined();
  const event = JSON.parse(received()!.body) as unknown;
  expect(event).toMatchObject({ data: { id, enabled: false, disabledReason: 'gone' } });
  expect((await client.listEvents()).events).toContainEqual(event);
  expect(gone.received).toHaveLength(1);
  // A store of the shared stage has room for ten.
  for (const each of [id, witness.id]) await client.deleteWebhookEndpoint(each);
});

test('on SIGINT, a stage that still starts ends in order', async () => {
  // No call reaches the database.
  const proxy = await startDynamodbProxy(inject('dynamodbEndpoint'));
  onTestFinished(() => proxy.close());
  proxy.hold();
  const { child, ended } = run('infra/local/main.ts', [
    '--port',
    '0',
    '--no-receiver',
    '--dynamodb',
    proxy.endpoint,
  ]);
  const isStarting = () => proxy.calls.some(({ operation }) => operation === 'CreateTable');
  await expect.poll(isStarting, { interval: 5 }).toBe(true);

  child.kill('SIGINT');

  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
});
