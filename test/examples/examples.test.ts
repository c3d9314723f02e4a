import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CartCheckout } from 'cart-checkout-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { testedPrograms, givenShopPrograms, stopShops } from '../support/examples/programs.ts';
import { givenSharedStage, type TestStage } from '../support/programs/stage-process.ts';
import { commandsOf, runCurl } from './support/curl.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenSharedStage();
});

afterAll(async () => {
  stopShops();
});

/** The part of a shop's page that differs from its other pages. */
const contentOf = (page: string): string => /<main>(.*?)<\/main>/s.exec(page)?.[1] ?? '';

const send = async (
  url: string,
  body: string | URLSearchParams | null = null,
): Promise<{ location: string; page: string }> => {
  const response = await fetch(url, { method: body === null ? 'GET' : 'POST', body, redirect: 'manual' });
  const { status, headers } = response;
  const page = contentOf(await response.text());
  expect(status, page).toBe(headers.has('Location') ? 303 : 200);
  return { location: headers.get('Location') ?? '', page };
};

// The programs mostly wait, so they run concurrently.
describe.concurrent.each(testedPrograms())('the shop for $language', (programs) => {
  const startShop = async (changes: Readonly<Record<string, string>> = {}) => {
    const apiKey = await stage.givenKey();
    const settings = {
      BASE_URL: stage.baseUrl,
      PRODUCT_ID: stage.productId,
      API_KEY: apiKey,
      WAIT_SECONDS: '0',
    };
    const { baseUrl, written } = await givenShopPrograms(programs).startSelling({ ...settings, ...changes });
    return {
      baseUrl,
      written,
      /** Lets a buyer order, act on the payment page and return. Returns both addresses. */
      visit: async (action: string) => {
        const { location: payUrl } = await send(`${baseUrl}/buy`, '');
        const { location: returnUrl } = await send(payUrl, new URLSearchParams({ action }));
        return { payUrl, returnUrl, page: (await send(returnUrl)).page };
      },
    };
  };

  test('delivers a paid order once, however often the buyer returns', async () => {
    const { baseUrl, visit, written } = await startShop();
    const { page } = await send(baseUrl);
    expect(page).toContain('action="/buy"');
    expect(page).toMatch(/^<h1>Course<\/h1>\n<p class="price">€49\.90<\/p>/);
    const first = await visit('pay');
    expect((await send(first.returnUrl)).page).toBe(first.page);
    const second = await visit('pay');
    const orders = [first, second].map(({ returnUrl }) => new URL(returnUrl).searchParams.get('order'));
    for (const [index, visited] of [first, second].entries()) {
      expect(visited.page).toContain('<h1>Thank you for your order</h1>');
      expect(visited.page).toContain(
        `<p>Order ${orders[index]?.slice(0, 8)} · <a href="/">Back to the shop</a></p>`,
      );
    }
    const output = await written(new RegExp(`Deliver order ${orders[1]}`));
    expect(output.match(/(?<=Deliver order )\S+/g)).toStrictEqual(orders);
  });

  test('lets a buyer whose payment failed pay at the same address, and believes no query', async () => {
    const { baseUrl, visit } = await startShop();
    const { payUrl, returnUrl, page } = await visit('decline');
    expect(page).toContain('<h1>Payment failed</h1>');
    expect(page).toContain(`<a class="button" href="${payUrl}">Try again</a>`);
    const forged = returnUrl.replace('payment_failed', 'completed');
    expect((await send(forged)).page).toBe(page);
    expect((await send(`${baseUrl}/return?order=1&status=completed`)).page).toContain(
      '<h1>This order does not exist</h1>',
    );
  });

  test('offers a buyer who left the payment, and waits for one that is pending', async () => {
    const { visit } = await startShop();
    const { payUrl, returnUrl, page } = await visit('leave');
    expect(page).toContain(`<a class="button" href="${payUrl}">Continue to the payment</a>`);
    const pending = await send(returnUrl.replace('/left', '/return'));
    expect(pending.page).toContain('We will e-mail you once your payment has arrived.');
  });

  test('delivers nothing if the cart has another price than the order', async () => {
    const { visit, written } = await startShop({ AMOUNT: '49.8' });
    expect((await visit('pay')).page).toContain('Your payment needs a check. We will e-mail you.');
    expect(await written(/differs from its cart/)).not.toContain('Deliver');
  });

  test('reports an error of the API with its request, and never the key', async () => {
    const apiKey = generateApiKey('test');
    const { baseUrl, written } = await startShop({ API_KEY: apiKey });
    const response = await fetch(`${baseUrl}/buy`, { method: 'POST' });
    expect(response.status).toBe(502);
    expect(contentOf(await response.text())).toBe('<h1>Please try again in a minute</h1>');
    const { code, message } = API_ERRORS.invalidApiKey;
    expect(await written(new RegExp(`${code}: ${message} \\(request [0-9a-f-]{36}\\)`))).not.toContain(
      apiKey,
    );
  });
});

test.each(testedPrograms())(
  'the list of deliveries shows why the receiver for $language rejects a webhook',
  async (programs) => {
    const apiKey = await stage.givenKey({ storeId: randomUUID() });
    const { url } = await givenShopPrograms(programs).startReceiver(
      `whsec_${randomBytes(32).toString('base64')}`,
    );
    const client = new CartCheckout({ baseUrl: stage.baseUrl, apiKey });
    const { id } = (await client.createWebhookEndpoint({ url, eventTypes: null })).webhookEndpoint;
    const { deliveryId } = await client.testWebhookEndpoint(id);
    const reason = async () => {
      const { deliveries } = await client.listWebhookDeliveries(id);
      return deliveries.find((each) => each.id === deliveryId)?.attempts[0]?.response;
    };
    await expect.poll(reason).toMatch(/^No signature is valid .* SHA-256 of the body: [0-9a-f]{64}$/);
    await client.deleteWebhookEndpoint(id);
  },
);

test.each(testedPrograms())('the calls of the guide work for $language', async (programs) => {
  const output = await givenShopPrograms(programs).makeCalls(stage.baseUrl);
  expect(output.trimEnd().split('\n')).toStrictEqual([
    expect.stringMatching(/^[0-9a-f-]{36} http.*\/sandbox\/checkout\/[0-9a-f-]{36}$/),
    expect.stringMatching(/^\w+ 49\.9 EUR$/),
    expect.stringMatching(/^we_\w+ whsec_\S+$/),
    ...(output.match(/^(?:cart|webhook_endpoint)\..*$/gm) ?? []),
    expect.stringMatching(/^The next request begins after \S+$/),
  ]);
  expect(output).toMatch(/^webhook_endpoint\.created evt_\w+$/m);
});

const bodyOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

const createdId = async (response: Response): Promise<string> => {
  expect(response.status).toBe(201);
  return ((await bodyOf(response))['cart'] as { id: string }).id;
};

describe.each(['README.md', 'docs/integrate.md'])('the curl commands of %s', (document) => {
  const { create, get, decline, pay } = commandsOf(document);

  test('create a cart, let a payment fail and then succeed, and retrieve the cart', async () => {
    const id = await createdId(await runCurl(stage.baseUrl, create));

    expect((await runCurl(stage.baseUrl, decline, id)).status).toBe(303);
    expect(await bodyOf(await runCurl(stage.baseUrl, get, id))).toMatchObject({ status: 'payment_failed' });

    expect((await runCurl(stage.baseUrl, pay, id)).status).toBe(303);
    expect(await bodyOf(await runCurl(stage.baseUrl, get, id))).toMatchObject({ status: 'completed' });
  });
});

test('the guide shows a replay, the page to which a buyer without a return address goes, and the fields of a paid cart', async () => {
  const { create, get, pay } = commandsOf('docs/integrate.md', (command) =>
    command.replace('order-1001', 'order-1002').replace('"order":"1001"', '"order":"1002"'),
  );
  const id = await createdId(await runCurl(stage.baseUrl, create));

  const replayed = await runCurl(stage.baseUrl, create);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(await createdId(replayed)).toBe(id);

  const paid = await runCurl(stage.baseUrl, pay, id);
  expect(paid.headers.get('location')).toBe(`./${id}`);

  const [, shown = ''] = /^```json\n(.*?)^```$/ms.exec(readFileSync('docs/integrate.md', 'utf8')) ?? [];
  const cart = await bodyOf(await runCurl(stage.baseUrl, get, id));
  expect(Object.keys(cart)).toStrictEqual(Object.keys(JSON.parse(shown) as object));
  expect(cart).toMatchObject({ meta: { order: '1002' }, price: { amount: 49.9, currency: 'EUR' } });
});

test('the guide reads the feed, in which a paid cart is completed', async () => {
  const { create, feed, pay } = commandsOf('docs/integrate.md', (command) =>
    command.replace('order-1001', 'order-1003'),
  );
  const id = await createdId(await runCurl(stage.baseUrl, create));
  await runCurl(stage.baseUrl, pay, id);
  let page = await bodyOf(await runCurl(stage.baseUrl, feed));
  const events = [page['events']];
  // The stage may have more than a page of other tests' events.
  while (page['hasMore'] === true) {
    const next = feed?.replace('limit=100', `limit=100&after=${String(page['cursor'])}`);
    page = await bodyOf(await runCurl(stage.baseUrl, next));
    events.push(page['events']);
  }
  expect(page).toMatchObject({ cursor: expect.any(String), hasMore: false });
  expect(events.flat()).toContainEqual(
    expect.objectContaining({ type: 'cart.completed', data: expect.objectContaining({ id }) }),
  );
});

test('the guide creates a webhook endpoint on this machine', async () => {
  const { endpoint } = commandsOf('docs/integrate.md');
  const response = await runCurl(stage.baseUrl, endpoint);
  const { webhookEndpoint, secret } = (await bodyOf(response)) as Record<string, never>;
  expect([response.status, webhookEndpoint, secret]).toStrictEqual([
    201,
    expect.objectContaining({ url: 'http://127.0.0.1:8080/hook', enabled: true }),
    expect.stringMatching(/^whsec_/),
  ]);
});

test('the guide retrieves a cart again, without a body if it has not changed', async () => {
  const { create, get, again, decline } = commandsOf('docs/integrate.md', (command) =>
    command.replace('order-1001', 'order-1004'),
  );
  const id = await createdId(await runCurl(stage.baseUrl, create));
  const etag = String((await runCurl(stage.baseUrl, get, id)).headers.get('etag'));
  const repeat = async () => (await runCurl(stage.baseUrl, again?.replace('{etag}', etag), id)).status;
  expect(await repeat()).toBe(304);
  await runCurl(stage.baseUrl, decline, id);
  expect(await repeat()).toBe(200);
});
