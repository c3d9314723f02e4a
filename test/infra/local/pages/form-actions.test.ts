import { expect, test } from 'vitest';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { formActions } from '../../../../infra/local/pages/form-actions.ts';
import type { PageRequest } from '../../../../infra/local/pages/parts/elements.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { givenGateway } from '../../../support/http/gateway-client.ts';

const ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
const [ONE, TWO] = DEMO_STORES;

const respond =
  (statusCode: number, body: object): ProxyFunction =>
  async () => ({ statusCode, body: JSON.stringify(body) });

/** A gateway with the forms, and what it served. */
const givenForms = async (handlers: Readonly<Record<string, ProxyFunction>> = {}) => {
  const served: ServedRequest[] = [];
  const { baseUrl } = await givenGateway(handlers, {
    forms: formActions,
    onServed: (request) => served.push(request),
  });
  const submit = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Referer: `${baseUrl}/carts?status=late`, ...headers },
      redirect: 'manual',
    });
  const ask = async (path: string, fields: Record<string, string>) =>
    (await submit(path, fields, { Accept: 'application/json' })).json();
  return { baseUrl, served, submit, ask };
};

const buttonFields = (request: Partial<PageRequest>) => ({ request: JSON.stringify(request) });

test('the form of a cart creates it for the store of the product, and leads to its payment page', async () => {
  const redirectUrl = `http://127.0.0.1:3000/sandbox/checkout/${ID}`;
  const created = respond(201, { cart: { id: ID }, redirectUrl });
  const { baseUrl, served, submit, ask } = await givenForms({ 'create-cart-checkout': created });
  const response = await submit('/carts', { product: 'two-poster' });
  expect([response.status, response.headers.get('location')]).toStrictEqual([303, `/sandbox/checkout/${ID}`]);
  expect(await ask('/carts', { product: 'two-poster' })).toStrictEqual({
    message: 'Cart 3f8dc76d… is created.',
    address: `/sandbox/checkout/${ID}`,
    opens: 'Open its payment page',
  });
  expect(served[0]).toMatchObject({ target: '/api/v1/stores/cart/checkout' });
  expect(served[0]?.rawHeaders).toContain('dashboard');
  expect(served[0]?.rawHeaders).toContain(`Bearer ${TWO?.apiKey}`);
  expect(JSON.parse(String(served[0]?.body))).toMatchObject({
    productDocumentId: 'two-poster',
    redirectURL: `${baseUrl}/carts/{CART_ID}`,
  });
});

test('the form of an endpoint adds it, and leads to its page', async () => {
  const added = respond(201, { webhookEndpoint: { id: 'we_1' } });
  const { served, submit } = await givenForms({ 'webhook-endpoints': added });
  const response = await submit('/endpoints', { url: 'http://127.0.0.1:8080/hook', store: 'demo-store-one' });
  expect([response.status, response.headers.get('location')]).toStrictEqual([303, '/endpoints/we_1']);
  expect(served[0]?.rawHeaders).toContain(`Bearer ${ONE?.apiKey}`);
  expect(JSON.parse(String(served[0]?.body))).toStrictEqual({ url: 'http://127.0.0.1:8080/hook' });
});

test('a button sends its request, and says what happened', async () => {
  const { served, submit, ask } = await givenForms({ 'sandbox-checkout': respond(303, {}) });
  const refund = {
    path: `/sandbox/checkout/${ID}`,
    form: { action: 'refund' },
    done: 'The payment is refunded.',
  };
  expect(await ask('/send', buttonFields(refund))).toStrictEqual({ message: refund.done });
  const page = await submit('/send', buttonFields(refund));
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`${refund.done}</p><p><a href="/carts?status=late">Back</a>`);
  expect(served.map(({ body }) => String(body))).toStrictEqual(['action=refund', 'action=refund']);
});

test('without a script, a question comes before the request', async () => {
  const { served, submit } = await givenForms();
  const remove = {
    method: 'DELETE',
    path: '/api/v1/stores/webhook-endpoints/we_1',
    done: 'Removed.',
  } as const;
  const page = await (await submit('/send', buttonFields({ ...remove, question: 'Remove it?' }))).text();
  expect(page).toContain('<h1>Remove it?</h1>');
  expect(page).toContain('<a href="/carts?status=late">Cancel</a>');
  expect(served).toStrictEqual([]);
  const [, value = ''] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  const answered = await submit('/send', { request: value.replaceAll('&quot;', '"') });
  expect(await answered.text()).toContain('Removed.');
  expect(served).toMatchObject([{ method: 'DELETE', target: remove.path }]);
});

test('a rejection is an error with its first detail', async () => {
  const details = [{ path: 'url', message: 'Must be an address' }];
  const { submit, ask } = await givenForms({
    'webhook-endpoints': respond(422, { message: 'Invalid', details }),
  });
  expect(await ask('/endpoints', { url: 'x' })).toStrictEqual({
    message: 'Must be an address',
    isError: true,
  });
  const page = await submit('/endpoints', { url: 'x' });
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('Must be an address')]);
});

test.each(['//evil.example/x', 'https://evil.example/x', undefined])(
  'a form sends nothing outside the stage: %s',
  async (path) => {
    const { ask } = await givenForms();
    expect(await ask('/send', buttonFields({ path: path as string, done: '' }))).toStrictEqual({
      message: 'This form is not from this stage.',
      isError: true,
    });
  },
);

test.each([
  { path: 'http://' },
  { path: '/', method: 'CONNECT' },
  { path: '/', apiKey: 'a\nb' },
  { path: '/', form: [1] },
  { path: '/', question: {} },
])('a malformed request of a button is rejected, and not sent: %j', async (request) => {
  const { served, submit, ask } = await givenForms();
  const fields = { request: JSON.stringify({ done: '', ...request }) };
  expect((await submit('/send', fields)).status).toBe(400);
  expect(await ask('/send', fields)).toMatchObject({ isError: true });
  expect(served).toStrictEqual([]);
});

test.each([
  [(baseUrl: string) => `${baseUrl}//evil.example/`, '/evil.example/'],
  [() => 'https://evil.example/', '/'],
])('the way back from a form leads to the stage alone', async (refererAt, back) => {
  const { baseUrl, submit } = await givenForms();
  const page = await submit('/send', buttonFields({}), { Referer: refererAt(baseUrl) });
  expect(await page.text()).toContain(`<a href="${back}">Back</a>`);
});

test('pages of other sites cannot send a form', async () => {
  const { submit, served } = await givenForms();
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    { Origin: 'https://evil.example' },
  ])
    expect((await submit('/carts', { product: 'one-course' }, headers as never)).status).toBe(403);
  expect(served).toStrictEqual([]);
});
