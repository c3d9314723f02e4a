import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_STORES } from '../../infra/local/demo-stores.ts';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { ACTIONS } from '../../lib/sandbox/actions.ts';
import { stopProcesses } from '../support/processes.ts';
import { givenStage, type TestStage } from '../support/stage.ts';

const GUIDE = readFileSync('docs/integrate.md', 'utf8');
const PRINTED_ADDRESS = 'http://127.0.0.1:3000';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

/** The contents of the guide's code blocks in a language, in order. */
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

const [CREATE = '', GET = '', DECLINE = '', PAY = ''] = blocks('sh').filter((block) =>
  block.startsWith('curl'),
);

/** The words of a curl command as a shell splits it; no curl is needed. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** Sends what a curl command of the guide sends, to the test's stage. Fails on what it does not understand. */
const runCurl = async (command: string, id = ''): Promise<Response> => {
  const words = wordsOf(command.replaceAll(PRINTED_ADDRESS, stage.baseUrl).replaceAll('{id}', id));
  const headers = new Headers();
  let url: string | undefined;
  let body: string | undefined;
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '-d') body = words.shift();
    else if (word === '-H') headers.append(...(words.shift()?.split(': ', 2) as [string, string]));
    else if (word.startsWith('http')) url = word;
    else expect(word).toBe('-i');
  }
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
  }
  const method = body === undefined ? 'GET' : 'POST';
  return fetch(url ?? '', { method, headers, body: body ?? null, redirect: 'manual' });
};

test('the curl lines of the guide do what it says, in its order', async () => {
  const created = await runCurl(CREATE);
  const { cart } = (await created.json()) as { cart: { id: string } };
  expect([created.status, created.headers.get('idempotent-replayed')]).toEqual([201, null]);

  const replayed = await runCurl(CREATE);
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(await replayed.json()).toMatchObject({ cart: { id: cart.id } });

  const declined = await runCurl(DECLINE, cart.id);
  expect(declined.status).toBe(303);
  expect(declined.headers.get('location')).toBe(`http://localhost:8080/thanks?cart=${cart.id}`);
  expect(await (await runCurl(GET, cart.id)).json()).toMatchObject({ status: 'payment_failed' });

  expect((await runCurl(PAY, cart.id)).status).toBe(303);
  const shown = JSON.parse(blocks('json')[0] ?? '') as object;
  const got = (await (await runCurl(GET, cart.id)).json()) as object;
  expect(Object.keys(got)).toEqual(Object.keys(shown));
  expect(got).toMatchObject({ status: 'completed', meta: { order: '1001' }, price: { amount: 49.9 } });
});

test('the guide tells what to do for every error that there is, and for no other', () => {
  const rows = [...GUIDE.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)` +\| .+ \| (\w+).* \|$/gm)];
  const told = rows.map(([, status, code]) => `${status} ${code}`);
  expect(told.toSorted()).toEqual(
    Object.values(API_ERRORS)
      .map(({ status, code }) => `${status} ${code}`)
      .toSorted(),
  );
  for (const [row, , , deed] of rows) expect(deed, row).toBeOneOf(['retry', 'mend', 'tell']);
});

test('the guide tells what every status of a cart means, and every action of the sandbox', () => {
  const statuses = [...GUIDE.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, status]) => status);
  expect(new Set(statuses)).toEqual(new Set(['status', ...CART_STATUSES]));
  for (const action of ACTIONS) expect(GUIDE).toContain(`\`${action}\``);
});

test('the guide uses the key and the product of a demo store, and links to files that exist', () => {
  expect(GUIDE).toContain(
    `API_KEY=${DEMO_STORES[0]?.apiKey} PRODUCT_ID=${DEMO_STORES[0]?.products[0]?.id}\n`,
  );
  const links = [...GUIDE.matchAll(/\]\(([^)#:]+)\)/g)].map(([, file]) => `docs/${file}`);
  expect(links.filter((file) => !existsSync(file))).toEqual([]);
  expect(links).toHaveLength(3);
});
