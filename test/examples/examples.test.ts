import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { givenDeadAddress } from '../support/addresses.ts';
import { type Ended, stopProcesses } from '../support/processes.ts';
import { givenStage, type TestStage } from '../support/stage.ts';
import { closeApiProxies, type Delivery, givenApiProxy } from './support/api-proxy.ts';
import { type Example, findRunnableExamples, runExample, stopExamples } from './support/examples.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(async () => {
  stopExamples();
  closeApiProxies();
  await stopProcesses();
});

interface Settings extends Readonly<Record<string, string>> {
  readonly API_KEY: string;
}

const settingsOf = (apiKey: string, changes: Readonly<Record<string, string>> = {}): Settings => ({
  BASE_URL: stage.baseUrl,
  PRODUCT_ID: stage.productId,
  ...changes,
  API_KEY: apiKey,
});

/** Runs an example whose buyer acts immediately on the sandbox page. Expects that it never prints the key. */
const runWithBuyer = async (example: Example, settings: Settings, action = 'pay'): Promise<Ended> => {
  const ended = await runExample(example, settings, async (redirectUrl) => {
    const body = new URLSearchParams({ action });
    const { status } = await fetch(redirectUrl, { method: 'POST', body, redirect: 'manual' });
    expect(status).toBe(303);
  });
  expect(ended.stdout + ended.stderr).not.toContain(settings.API_KEY);
  return ended;
};

const expectPaid = (ended: Ended): void => {
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(ended.stdout).toMatch(
    new RegExp(`^Redirect the buyer to \\S+/sandbox/checkout/${UUID}\nStatus completed, payment ${UUID}\n$`),
  );
};

/** Expects an error's code and message, the request's id, and no stack trace. */
const expectFailure = ({ exitCode, stdout, stderr }: Ended, kind: keyof typeof API_ERRORS): void => {
  const { code, message } = API_ERRORS[kind];
  expect({ exitCode, stdout }).toStrictEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^${code}: ${message} \\(request ${UUID}\\)\n`));
  expect(stderr).not.toMatch(/\.mjs|\.py|\.php|Traceback|Stack/);
};

const spendAllTokens = async (apiKey: string): Promise<void> => {
  while ((await stage.createCart('', { apiKey })).status !== 429);
};

// The examples mostly wait, so they run concurrently.
describe.concurrent.each(findRunnableExamples())('the example for $language', (example) => {
  test.each<[string, Delivery[]]>([
    ['all responses arrive', []],
    ['the first response is lost and the second breaks off', ['nothing', 'half']],
  ])('creates one cart and waits for the payment if %s', async (_, deliveries) => {
    const proxy = await givenApiProxy(stage.baseUrl, (index) => deliveries[index] ?? 'whole');

    expectPaid(await runWithBuyer(example, settingsOf(await stage.givenKey(), { BASE_URL: proxy.baseUrl })));

    const creations = proxy.requests.filter(({ method }) => method === 'POST');
    const { idempotencyKey } = creations[0] ?? {};
    expect(idempotencyKey).toMatch(/^[\w-]{32,36}$/);
    expect(creations).toHaveLength(deliveries.length + 1);
    for (const creation of creations) expect(creation).toMatchObject({ status: 201, idempotencyKey });
  });

  test('exits with 2 after a failed payment, and with 3 if nobody pays in time', async () => {
    const apiKey = await stage.givenKey();

    const failed = await runWithBuyer(example, settingsOf(apiKey), 'decline');
    expect(failed).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('Status payment_failed') });

    const unpaid = await runExample(example, settingsOf(apiKey, { POLL_SECONDS: '0' }));
    expect(unpaid).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('Status waiting_payment') });
  });

  test('waits for a token after a 429, then retries once', async () => {
    const apiKey = await stage.givenKey({ limit: 2, windowSeconds: 2 });
    const proxy = await givenApiProxy(stage.baseUrl, async (index): Promise<Delivery> => {
      if (index === 0) await spendAllTokens(apiKey);
      return 'whole';
    });

    expectPaid(await runWithBuyer(example, settingsOf(apiKey, { BASE_URL: proxy.baseUrl })));

    const { idempotencyKey } = proxy.requests[0] ?? {};
    expect(proxy.requests.slice(0, 2)).toStrictEqual([
      { method: 'POST', status: 429, idempotencyKey },
      { method: 'POST', status: 201, idempotencyKey },
    ]);
  });

  test('reports an invalid key or field, and does not retry', async () => {
    const { baseUrl: BASE_URL, requests } = await givenApiProxy(stage.baseUrl);

    const unknownKey = settingsOf(generateApiKey('test'), { BASE_URL });
    expectFailure(await runExample(example, unknownKey), 'invalidApiKey');

    const invalidField = settingsOf(await stage.givenKey(), { BASE_URL, PRODUCT_ID: 'a/b' });
    const failed = await runExample(example, invalidField);
    expectFailure(failed, 'invalidPayload');
    expect(failed.stderr).toMatch(/\n {2}productDocumentId: Must be/);
    expect(requests).toHaveLength(2);
  });

  test('does not wait for a token that comes in an hour', async () => {
    const apiKey = await stage.givenKey({ limit: 1, windowSeconds: 3_600 });
    await spendAllTokens(apiKey);
    expectFailure(await runExample(example, settingsOf(apiKey)), 'rateLimited');
  });

  // PHP waits up to 15.5 seconds: its random part cannot be set to 0.
  test('gives up after some attempts if nothing listens', { timeout: 40_000 }, async () => {
    const settings = settingsOf(await stage.givenKey(), { BASE_URL: await givenDeadAddress() });
    const { exitCode, stdout, stderr } = await runExample(example, settings);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^No response: [^\n]+\n$/);
  });

  test('names a missing or malformed variable without its value', async () => {
    const { exitCode, stdout, stderr } = await runExample(example, settingsOf('a b\nc'));
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^API_KEY is missing or malformed\.\r?\n$/);
  });
});
