import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../infra/local/local-database.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { createDocumentClient } from '../../lib/dynamodb.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { createProductStore } from '../../lib/products/product-store.ts';
import type { Product } from '../../lib/products/product.ts';
import { givenDeadAddress } from '../support/addresses.ts';
import { type Ended, stopProcesses } from '../support/processes.ts';
import { givenStage, type TestStage } from '../support/stage.ts';
import { closeApiProxies, type Delivery, givenApiProxy } from './support/api-proxy.ts';
import {
  type Example,
  type ExampleSettings,
  findRunnableExamples,
  runExample,
  stopExamples,
} from './support/examples.ts';

/** How much earlier than asked a timer may fire, by its resolution and the clock's. */
const TIMER_TOLERANCE_MS = 20;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

let stage: TestStage;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  stage = await givenStage();
  documents = createDocumentClient(localClientConfig(stage.dynamodbEndpoint));
});

afterAll(async () => {
  stopExamples();
  closeApiProxies();
  await stopProcesses();
});

const settingsOf = (apiKey: string, changes: Partial<ExampleSettings> = {}): ExampleSettings => ({
  BASE_URL: stage.baseUrl,
  API_KEY: apiKey,
  PRODUCT_ID: stage.productId,
  ...changes,
});

/** Does as a buyer does on the sandbox's page. */
const act = async (redirectUrl: string, action: 'pay' | 'decline'): Promise<void> => {
  const { status } = await fetch(redirectUrl, {
    method: 'POST',
    body: new URLSearchParams({ action }),
    redirect: 'manual',
  });
  expect(status).toBe(303);
};

/** Runs an example whose buyer pays, or does not, as soon as there is an address; expects that it shows no key. */
const runWithBuyer = async (
  example: Example,
  settings: ExampleSettings,
  action: 'pay' | 'decline' = 'pay',
): Promise<Ended & { readonly redirectUrl: string }> => {
  const running = runExample(example, settings);
  const redirectUrl = await running.redirectUrl;
  await act(redirectUrl, action);
  const ended = await running.ended;
  expect(ended.stdout + ended.stderr).not.toContain(settings.API_KEY);
  return { ...ended, redirectUrl };
};

/** Expects all that an example prints of a cart that was paid. */
const expectPaid = ({ redirectUrl, ...ended }: Ended & { readonly redirectUrl: string }): void => {
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ended.stdout).toMatch(
    new RegExp(`^Redirect the buyer to ${redirectUrl}\r?\nStatus completed, payment ${UUID}\r?\n$`),
  );
};

/** Expects that an example ended with an error's code and message, its request's id, and no stack trace. */
const expectTold = ({ exitCode, stdout, stderr }: Ended, kind: keyof typeof API_ERRORS): void => {
  const { code, message } = API_ERRORS[kind];
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^${code}: ${message} \\(request ${UUID}\\)\n`));
  expect(stderr).not.toMatch(/\.mjs|\.py|\.php|Traceback|Stack/);
};

/** A product that no other test has. */
const givenProduct = async (): Promise<string> => {
  const id = `product-${randomUUID()}`;
  const product: Product = {
    id,
    storeId: stage.stores[0]!.id,
    name: 'Course',
    available: true,
    currency: 'EUR',
    pricing: { type: 'fixed', amount: 49.9 },
  };
  await createProductStore(documents, LOCAL_TABLE_NAMES.products).put(product);
  return id;
};

/** How many carts there are for a product. */
const countCarts = async (productId: string): Promise<number | undefined> => {
  const { Count } = await documents.send(
    new ScanCommand({
      TableName: LOCAL_TABLE_NAMES.carts,
      FilterExpression: 'productId = :productId',
      ExpressionAttributeValues: { ':productId': productId },
    }),
  );
  return Count;
};

/** Asks until a key has no token left. */
const spendAllTokens = async (apiKey: string): Promise<void> => {
  while ((await stage.createCart('', { apiKey })).status !== 429);
};

// At once, since they mostly wait.
describe.concurrent.each(findRunnableExamples())('the example for $language', (example) => {
  test('creates a cart and waits until the buyer has paid', async () => {
    expectPaid(await runWithBuyer(example, settingsOf(await stage.givenKey())));
  });

  test('tells that a payment failed with exit code 2, and that nobody has paid yet with 3', async () => {
    const apiKey = await stage.givenKey();

    const failed = await runWithBuyer(example, settingsOf(apiKey), 'decline');
    expect(failed).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('Status payment_failed') });

    const unpaid = await runExample(example, settingsOf(apiKey, { POLL_SECONDS: '0' })).ended;
    expect(unpaid).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('Status waiting_payment') });
  });

  test('waits as long as a 429 asks, and then goes on', async () => {
    const apiKey = await stage.givenKey({ limit: 2, windowSeconds: 2 });
    const proxy = await givenApiProxy(stage.baseUrl, async (index): Promise<Delivery> => {
      if (index === 0) await spendAllTokens(apiKey);
      return 'whole';
    });

    expectPaid(await runWithBuyer(example, settingsOf(apiKey, { BASE_URL: proxy.baseUrl })));

    const [denied, retried] = proxy.requests;
    expect([denied, retried]).toMatchObject([
      { method: 'POST', status: 429, retryAfterSeconds: 1 },
      { method: 'POST', status: 201, idempotencyKey: denied?.idempotencyKey },
    ]);
    expect(retried!.startedAtMs - denied!.endedAtMs).toBeGreaterThan(1_000 - TIMER_TOLERANCE_MS);
  });

  test.each<[string, Delivery]>([
    ['never comes', 'nothing'],
    ['is cut in its middle', 'half'],
  ])('makes one cart where the first answer %s', async (_what, delivery) => {
    const apiKey = await stage.givenKey();
    const proxy = await givenApiProxy(stage.baseUrl, (index) => (index === 0 ? delivery : 'whole'));
    const PRODUCT_ID = await givenProduct();

    expectPaid(await runWithBuyer(example, settingsOf(apiKey, { BASE_URL: proxy.baseUrl, PRODUCT_ID })));

    const [lost, retried] = proxy.requests;
    expect(lost).toMatchObject({ method: 'POST', status: 201, idempotencyKey: expect.any(String) });
    expect(retried).toMatchObject({ method: 'POST', status: 201, idempotencyKey: lost?.idempotencyKey });
    expect(await countCarts(PRODUCT_ID)).toBe(1);
  });

  test('tells of a wrong key, and of a refused field by its name, and does not ask again', async () => {
    const proxy = await givenApiProxy(stage.baseUrl, () => 'whole');
    const onProxy = { BASE_URL: proxy.baseUrl };

    expectTold(await runExample(example, settingsOf(generateApiKey('test'), onProxy)).ended, 'invalidApiKey');
    expect(proxy.requests).toHaveLength(1);

    const settings = settingsOf(await stage.givenKey(), { ...onProxy, PRODUCT_ID: 'a/b' });
    const refused = await runExample(example, settings).ended;
    expectTold(refused, 'invalidPayload');
    expect(refused.stderr).toMatch(/\n {2}productDocumentId: Must be/);
    expect(proxy.requests).toHaveLength(2);
  });

  test('does not wait for a token that comes in an hour', async () => {
    const apiKey = await stage.givenKey({ limit: 1, windowSeconds: 3_600 });
    await spendAllTokens(apiKey);
    expectTold(await runExample(example, settingsOf(apiKey)).ended, 'rateLimited');
  });

  // It waits up to 15.5 s, and half of that on average.
  test('gives up on an address where nothing answers, after some attempts', { timeout: 40_000 }, async () => {
    const settings = settingsOf(await stage.givenKey(), { BASE_URL: await givenDeadAddress() });
    const { exitCode, stdout, stderr } = await runExample(example, settings).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^No answer: [^\n]+\n$/);
  });

  test('names a variable that is missing or malformed, and does not show its value', async () => {
    const { exitCode, stdout, stderr } = await runExample(example, settingsOf('a b\nc')).ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^API_KEY is missing or malformed\.\r?\n$/);
  });
});
