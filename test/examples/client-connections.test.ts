import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../infra/local/gateway/listen.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { callerOf, testedClients, stopClients } from '../support/examples/clients.ts';
import { givenMerchantProject } from '../support/programs/merchant-project.ts';
import { runProgram } from '../support/programs/run-program.ts';
import { givenResponses, type ScriptedResponse } from './support/scripted-api.ts';

afterAll(stopClients);

const KEY = generateApiKey('test');
const CART = { id: '1', status: 'waiting_payment' };
const FOUND: ScriptedResponse = { status: 200, body: CART };

const LANGUAGES = testedClients();

describe.each(LANGUAGES)('the client for $language', (language) => {
  const onScript = async (...responses: readonly ScriptedResponse[]) => {
    const api = await givenResponses(...responses);
    return { ...api, call: callerOf(language, { baseUrl: api.baseUrl, apiKey: KEY }) };
  };

  test('takes an interim response for none', async () => {
    const { call } = await onScript({ ...FOUND, hints: true });
    expect(await call('retrieveCart', ['1'])).toMatchObject({ value: CART, pauses: [] });
  });

  const CREATED = '2026-01-15T00:00:00.000Z';
  test.each([
    [
      'a date',
      { Date: new Date(CREATED).toUTCString(), 'Retry-After': 'Thu, 15 Jan 2026 00:00:03 GMT' },
      3.5,
    ],
    ['a date in the past', { 'Retry-After': 'Thu, 15 Jan 2015 00:00:03 GMT' }, 0.5],
    ['a part of a second', { 'Retry-After': '1.5' }, 2],
    ['no time', { 'Retry-After': 'soon' }, 0.5],
  ])('waits for a Retry-After that is %s', async (_, headers, pause) => {
    const later = { status: 503, headers, body: { code: 'SERVICE_UNAVAILABLE', message: 'Later' } };
    const { call } = await onScript(later, FOUND);
    expect(await call('retrieveCart', ['1'])).toMatchObject({ value: CART, pauses: [pause] });
  });

  test.each([
    ['of Connect RPC', '{"code":"X","message":"m","details":[{"@type":"t"}]}', []],
    ['null', '{"code":"X","message":"m","details":[null,["a"],{"path":1,"message":"m"}]}', []],
    [
      'texts',
      '{"code":"X","message":"m","details":["a",{"path":"","message":"b"}]}',
      [{ path: '', message: 'b' }],
    ],
    ['an object', '{"code":"X","message":"m","details":{"path":"p","message":"m"}}', []],
  ])('reads an error of a proxy with details that are %s', async (_, body, details) => {
    const { call } = await onScript({ status: 400, body });
    const { error } = await call('retrieveCart', ['1']);
    const issues = details.map(({ message }) => `; ${message}`).join('');
    expect(error).toMatchObject({ name: 'CartCheckoutError', code: 'X', details, message: `X: m${issues}` });
  });

  test('reads an error with half a pair of surrogates, which no program can print', async () => {
    const details = [{ path: 'meta.HALF', message: 'HALF and \\\\ud83d, 🛒' }];
    const text = JSON.stringify({ code: 'X', message: 'm HALF', details }).replaceAll('HALF', '\\ud83d');
    const { call } = await onScript({ status: 422, body: text.replace('🛒', '\\ud83d\\uded2') });
    const { error } = await call('retrieveCart', ['1']);
    expect(error).toMatchObject({ code: 'X', status: 422 });
    // Python has `?` for the half, the others U+FFFD.
    expect(error?.['message']).toMatch(/^X: m [?\uFFFD]; meta\.[?\uFFFD]: [?\uFFFD] and \\\\ud83d, 🛒$/);
  });

  test('has its defaults for options that are null', async () => {
    const { baseUrl, requests } = await givenResponses('cut', 'cut', 'cut', 'cut', 'cut', {
      status: 200,
      body: { events: [], cursor: 'c', hasMore: false },
    });
    const names = ['timeoutSeconds', 'retriesMax', 'deadlineSeconds'];
    const absent = Object.fromEntries(names.map((name) => [name, null]));
    const call = callerOf(language, { baseUrl, apiKey: KEY, ...absent });
    const { value } = await call('eventPages', [], { after: null, limit: null, timeoutSeconds: null });
    expect(value).toHaveLength(1);
    expect(requests.map(({ url }) => url?.replace(/\?$/, ''))).toStrictEqual(
      Array(6).fill('/api/v1/stores/events'),
    );
  });

  test('takes a time limit for a call', async () => {
    const hanging = await givenResponses('hang');
    const patient = callerOf(language, {
      baseUrl: hanging.baseUrl,
      apiKey: KEY,
      timeoutSeconds: 600,
      retriesMax: 0,
    });
    const { error } = await patient('retrieveCart', ['1'], { timeoutSeconds: 0.05 });
    expect(error).toMatchObject({ code: 'NO_RESPONSE' });
    expect(error?.['message']).toMatch(`NO_RESPONSE: ${hanging.baseUrl}: `);
  });

  test('names the address without a response, and asks whether it uses http', async () => {
    const { baseUrl } = await givenResponses(FOUND);
    const secure = baseUrl.replace('http:', 'https:');
    const { error } = await callerOf(language, { baseUrl: secure, apiKey: KEY, retriesMax: 0 })('listEvents');
    expect(error?.['message']).toMatch(`NO_RESPONSE: ${secure}: `);
    expect(error?.['message']).toMatch(/\S\. Does this address use http\?$/);
  });

  test('sends its requests by a transport of the program', async () => {
    const client = { baseUrl: 'https://api.invalid/prod', apiKey: KEY, retriesMax: 0 };
    const call = callerOf(language, { ...client, transport: 'responding' });
    const { value } = await call('expireCart', ['1']);
    const url = 'https://api.invalid/prod/api/v1/stores/cart/1/expire';
    expect(value).toMatchObject({ method: 'POST', url, agent: expect.stringMatching(/^cart-checkout-/) });
    const { error } = await callerOf(language, { ...client, transport: 'failing' })('retrieveCart', ['1']);
    expect(error?.['message']).toBe('NO_RESPONSE: https://api.invalid/prod: The test has no response');
  });

  test('reads the deliveries of an endpoint to their end, page by page', async () => {
    const page = (cursor?: string) => ({ status: 200, body: { deliveries: [], cursor, hasMore: true } });
    // Without a cursor, the next request would read the first page again.
    const { call, requests } = await onScript(page('3'), page('2'), page());
    const { value } = await call('webhookDeliveryPages', ['we_1'], { before: '5', limit: 2 });
    expect(value).toHaveLength(3);
    const queries = requests.map(({ url }) => [...new URL(`http://api${url}`).searchParams.entries()]);
    expect(queries).toStrictEqual([
      [
        ['before', '5'],
        ['limit', '2'],
      ],
      [
        ['after', '3'],
        ['limit', '2'],
      ],
      [
        ['after', '2'],
        ['limit', '2'],
      ],
    ]);
  });
});

// PHP opens one for each request: curl would send a POST again if a kept one breaks.
describe.each(LANGUAGES.filter(({ language }) => language !== 'PHP'))(
  'the client for $language',
  (language) => {
    test('keeps a connection for ten calls, and opens another one if the API has closed it', async () => {
      const { baseUrl, connections } = await givenResponses({
        status: 200,
        body: { ...CART, secret: 'whsec_' },
      });
      const call = callerOf(language, { baseUrl, apiKey: KEY });
      for (let calls = 0; calls < 10; calls += 1) await call('retrieveCart', ['1']);
      // The `fetch` of Node.js opens a second one before it knows that the first is free.
      const kept = connections.length;
      expect(kept).toBeLessThanOrEqual(language.language === 'Python' ? 1 : 2);
      const closed = connections.map((each) => once(each, 'close'));
      for (const each of connections) each.destroy();
      await Promise.all(closed);
      // A call that the client must not repeat.
      expect(await call('rotateWebhookSecret', ['we_1'])).toMatchObject({ value: { secret: 'whsec_' } });
      expect(connections.length).toBeGreaterThan(kept);
    });
  },
);

describe.each(LANGUAGES.filter(({ language }) => language === 'Python'))('the client for $language', () => {
  const givenProxy = async () => {
    const seen: (readonly (string | undefined)[])[] = [];
    const server = createServer((request, response) => {
      seen.push([request.method, request.url, request.headers['proxy-authorization']]);
      response.end(JSON.stringify(CART));
    });
    server.on('connect', (request, socket) => {
      seen.push([request.method, request.url, request.headers['proxy-authorization']]);
      socket.end('HTTP/1.1 502 No\r\n\r\n');
    });
    const port = await listen(server, '127.0.0.1', 0);
    onTestFinished(() => server.close().closeAllConnections());
    return { seen, address: `http://ada:p%40ss@127.0.0.1:${port}` };
  };

  test('uses the proxies of the environment, except for the hosts without one', async () => {
    const { python } = givenMerchantProject();
    const { seen, address } = await givenProxy();
    const { baseUrl } = await givenResponses(FOUND);
    const program = `
import sys
from cart_checkout import CartCheckout, CartCheckoutError
for base_url in sys.argv[1:]:
    try:
        CartCheckout(base_url, "cck_x", retries_max=0).retrieve_cart("1")
    except CartCheckoutError as error:
        print(error)
`;
    const proxies = { http_proxy: address, https_proxy: address, no_proxy: new URL(baseUrl).host };
    const bases = ['http://api.invalid', 'https://api.invalid', baseUrl];
    const output = await runProgram(python, ['-c', program, ...bases], {
      env: { PATH: process.env['PATH'], ...proxies },
    });
    const credentials = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
    expect(seen).toStrictEqual([
      ['GET', 'http://api.invalid/api/v1/stores/cart/1', credentials],
      ['CONNECT', 'api.invalid:443', credentials],
    ]);
    expect(output).toMatch(/^NO_RESPONSE: https:\/\/api\.invalid: Tunnel connection failed: 502/);
  });

  test('gives each of its threads, and a forked process, its own response', async () => {
    const { python } = givenMerchantProject();
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ id: request.url?.split('/').at(-1) }));
    });
    const baseUrl = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
    onTestFinished(() => server.close().closeAllConnections());
    const program = `
import os, sys
from concurrent.futures import ThreadPoolExecutor
from cart_checkout import CartCheckout
client = CartCheckout(sys.argv[1], "cck_x", retries_max=0)
check = lambda id: client.retrieve_cart(id)["id"] == id
with ThreadPoolExecutor(8) as threads:
    assert all(threads.map(check, map(str, range(200))))
child = os.fork()
assert all(map(check, [f"{child}-{index}" for index in range(50)]))
if child == 0:
    os._exit(0)
print(os.waitpid(child, 0)[1])
`;
    const output = await runProgram(python, ['-c', program, baseUrl], {
      env: { PATH: process.env['PATH'] },
    });
    expect(output).toBe('0\n');
  });
});
