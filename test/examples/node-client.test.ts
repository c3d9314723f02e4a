import { CartCheckout, type Options } from 'cart-checkout-client';
import { expect, test, vi } from 'vitest';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { givenResponses } from './support/scripted-api.ts';

const create = (options: Partial<Options> = {}) =>
  new CartCheckout({ baseUrl: 'http://api', apiKey: generateApiKey('test'), ...options });

test('the client for Node.js does not run in a browser', () => {
  for (const name of ['window', 'document']) {
    vi.stubGlobal(name, {});
    expect(create).toThrow('Use CartCheckout on your server');
    vi.unstubAllGlobals();
  }
  expect(String(create())).toBe('CartCheckout(http://api)');
});

test('an option of the client for Node.js that is undefined has its default', async () => {
  const { baseUrl, requests } = await givenResponses({ status: 200, body: { events: [] } });
  const names = ['timeoutSeconds', 'retriesMax', 'deadlineSeconds', 'fetch', 'random', 'sleep', 'now'];
  const absent = Object.fromEntries(names.map((name) => [name, undefined]));
  const client = create({ baseUrl, ...absent });
  await client.listEvents({
    after: undefined,
    limit: undefined,
    timeoutSeconds: undefined,
    signal: undefined,
  });
  expect(requests.map(({ url }) => url)).toStrictEqual(['/api/v1/stores/events?']);
});

test.each([
  [undefined, 'baseUrl is missing'],
  ['http://api', 'The options of CartCheckout are a string, not an object.'],
  [
    { baseURL: 'http://api' },
    'CartCheckout has no option baseURL. Its options: baseUrl, apiKey, timeoutSeconds,',
  ],
])('the client for Node.js rejects the options %j', (options, message) => {
  expect(() => new CartCheckout(options as unknown as Options)).toThrow(message);
});

test.each(['order-1', ['order-1'], 1, new Map([['idempotencyKey', 'order-1']])])(
  'the client for Node.js rejects the second argument %j, which is no object of options',
  async (options) => {
    const created = create().createCart({} as never, options as never);
    await expect(created).rejects.toThrow(/^The options of createCart are an? [\w ]+, not an object\./);
  },
);

// As texts, all objects are the same.
test.each([{ order: 1 }, 1001])(
  'the client for Node.js rejects an Idempotency-Key that is no text: %j',
  async (key) => {
    const created = create().createCart({} as never, { idempotencyKey: key as unknown as string });
    await expect(created).rejects.toThrow(/^idempotencyKey is an? \w+, not a string$/);
  },
);

test.each([new Map([['a', 'b']]), new Set(['a']), Promise.resolve(), 1n, () => 1])(
  'the client for Node.js rejects the value %s, which JSON would change or leave out',
  async (value) => {
    const created = create().createCart({ meta: value } as never);
    await expect(created).rejects.toThrow(/^cart\.meta is an? /);
  },
);

test('a signal ends a call of the client for Node.js with its reason, during a request and between two', async () => {
  const reason = new Error('The buyer has left');
  const hanging = await givenResponses('hang');
  const controller = new AbortController();
  const call = create({ baseUrl: hanging.baseUrl, retriesMax: 0 }).listEvents({ signal: controller.signal });
  await vi.waitFor(() => expect(hanging.requests).toHaveLength(1));
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);

  const down = await givenResponses({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'Later' } });
  const between = new AbortController();
  const sleep = () => new Promise<void>(() => between.abort(reason));
  const retried = create({ baseUrl: down.baseUrl, sleep }).listEvents({ signal: between.signal });
  await expect(retried).rejects.toBe(reason);
  expect(down.requests).toHaveLength(1);
});
