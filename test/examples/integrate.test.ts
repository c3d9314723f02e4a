import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopProcesses } from '../support/processes.ts';
import { givenStage, type TestStage } from '../support/stage.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

/** The curl commands of a document, in order, one per entry. */
const curlsOf = (document: string): string[] =>
  readFileSync(document, 'utf8')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('curl '));

/** The commands of a document by what they do. */
const commandsOf = (document: string, change = (command: string) => command) => {
  const commands = curlsOf(document).map(change);
  const find = (part: string) => commands.find((command) => command.includes(part));
  return {
    create: find('/cart/checkout '),
    get: find('/stores/cart/{id}'),
    again: find('If-None-Match'),
    feed: find('/stores/events'),
    decline: find('action=decline'),
    pay: find('action=pay'),
  };
};

/** Sends a curl command's request to the test's stage. Supports the flags that the documents use. */
const runCurl = async (command = '', id = ''): Promise<Response> => {
  const onStage = command.replace('http://127.0.0.1:3000', stage.baseUrl).replaceAll('{id}', id);
  const words = [...onStage.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const headers = new Headers();
  let url = '';
  let body: string | null = null;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-d') body = words[++index] ?? '';
    else if (word === '-H') headers.append(...(words[++index]?.split(': ', 2) as [string, string]));
    else if (word.startsWith('http')) url = word;
    else expect(word).toBe('-i');
  }
  if (body !== null && !headers.has('content-type')) {
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
  }
  return fetch(url, { method: body === null ? 'GET' : 'POST', headers, body, redirect: 'manual' });
};

const bodyOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

const createdId = async (response: Response): Promise<string> => {
  expect(response.status).toBe(201);
  return ((await bodyOf(response))['cart'] as { id: string }).id;
};

describe.each(['README.md', 'docs/integrate.md'])('the curl commands of %s', (document) => {
  const { create, get, decline, pay } = commandsOf(document);

  test('create a cart, let a payment fail and then succeed, and retrieve the cart', async () => {
    const id = await createdId(await runCurl(create));

    expect((await runCurl(decline, id)).status).toBe(303);
    expect(await bodyOf(await runCurl(get, id))).toMatchObject({ status: 'payment_failed' });

    expect((await runCurl(pay, id)).status).toBe(303);
    expect(await bodyOf(await runCurl(get, id))).toMatchObject({ status: 'completed' });
  });
});

test('the guide shows a replay, the return of the buyer, and the fields of a paid cart', async () => {
  const { create, get, pay } = commandsOf('docs/integrate.md', (command) =>
    command.replace('order-1001', 'order-1002').replace('"order":"1001"', '"order":"1002"'),
  );
  const id = await createdId(await runCurl(create));

  const replayed = await runCurl(create);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(await createdId(replayed)).toBe(id);

  const paid = await runCurl(pay, id);
  expect(paid.headers.get('location')).toBe(`http://localhost:8080/thanks?cart=${id}`);

  const [, shown = ''] = /^```json\n(.*?)^```$/ms.exec(readFileSync('docs/integrate.md', 'utf8')) ?? [];
  const cart = await bodyOf(await runCurl(get, id));
  expect(Object.keys(cart)).toStrictEqual(Object.keys(JSON.parse(shown) as object));
  expect(cart).toMatchObject({ meta: { order: '1002' }, price: { amount: 49.9, currency: 'EUR' } });
});

test('the guide reads the feed, in which a paid cart is completed', async () => {
  const { create, feed, pay } = commandsOf('docs/integrate.md', (command) =>
    command.replace('order-1001', 'order-1003'),
  );
  const id = await createdId(await runCurl(create));
  await runCurl(pay, id);
  const { events, cursor, hasMore } = await bodyOf(await runCurl(feed));
  expect({ cursor, hasMore }).toStrictEqual({ cursor: expect.any(String), hasMore: false });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'cart.completed', data: expect.objectContaining({ id }) }),
  );
});

test('the guide retrieves a cart again, without a body if it has not changed', async () => {
  const { create, get, again, decline } = commandsOf('docs/integrate.md', (command) =>
    command.replace('order-1001', 'order-1004'),
  );
  const id = await createdId(await runCurl(create));
  const etag = String((await runCurl(get, id)).headers.get('etag'));
  const repeat = async () => (await runCurl(again?.replace('{etag}', etag), id)).status;
  expect(await repeat()).toBe(304);
  await runCurl(decline, id);
  expect(await repeat()).toBe(200);
});
