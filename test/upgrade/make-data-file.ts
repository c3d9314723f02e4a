// Makes a data file with the code of a checkout, and the responses that later versions must still send:
//   node test/upgrade/make-data-file.ts {checkout} {folder, such as 2026-11-21}
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { StoredCart, StoredRequest, UpgradeFixture } from './fixtures.ts';

const CHECKOUT_PATH = '/api/v1/stores/cart/checkout';
const BUYER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

const [checkout = '', name = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-upgrade-'));
const dataFile = join(folder, 'data.sqlite');

const flags = ['--json', '--port', '0', '--data', dataFile];
const stage = spawn(process.execPath, [resolve(checkout, 'infra/local/main.ts'), ...flags], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
process.once('exit', () => {
  stage.kill('SIGINT');
  rmSync(folder, { recursive: true });
});
const [line] = (await once(createInterface(stage.stdout), 'line')) as [string];
const { baseUrl, dynamodbEndpoint } = JSON.parse(line) as { baseUrl: string; dynamodbEndpoint: string };

const operate = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const program = resolve(checkout, 'infra/operate/main.ts');
  const all = [program, ...args, '--dynamodb', dynamodbEndpoint, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, all);
  return JSON.parse(stdout) as Record<string, string>;
};

const issue = async (...args: readonly string[]): Promise<{ apiKey: string; keyId: string }> => {
  const { apiKey = '', keyId = '' } = await operate('keys', 'issue', '--store', 'shop', '--yes', ...args);
  return { apiKey, keyId };
};

const create = async (apiKey: string, body: object, headers: Record<string, string> = {}) => {
  const request: StoredRequest = { apiKey, body: JSON.stringify({ ...BUYER, ...body }), headers };
  const response = await fetch(baseUrl + CHECKOUT_PATH, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: request.body,
  });
  const responseText = await response.text();
  if (response.status !== 201) throw new Error(responseText);
  const { cart } = JSON.parse(responseText) as { cart: { id: string } };
  return { request, responseText, id: cart.id };
};

const get = async (apiKey: string, id: string): Promise<string> => {
  const response = await fetch(`${baseUrl}/api/v1/stores/cart/${id}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  return response.text();
};

await operate('stores', 'put', 'shop', '--name', 'shop');
const product = (id: string, ...args: readonly string[]) =>
  operate('products', 'put', id, '--store', 'shop', '--name', id, '--currency', 'EUR', ...args);
await product('fixed', '--price', '49.90');
await product('free', '--free', '--minimum', '1', '--suggested', '5');
await product('unavailable', '--price', '9.90', '--unavailable');

const test = await issue('--mode', 'test', '--limit', '1000', '--lang', 'fr-FR', '--label', 'Test shop');
const live = await issue('--mode', 'live', '--limit', '1000', '--expires-in', '3650d');
// A token every three days: the bucket is the same when the test starts.
const halfEmpty = await issue('--mode', 'live', '--limit', '10', '--window', '2592000');
for (let taken = 0; taken < 5; taken += 1) await get(halfEmpty.apiKey, 'unknown');
const revoked = await issue('--mode', 'test');
await operate('keys', 'revoke', revoked.keyId, '--yes');
const replaced = await issue('--mode', 'test');
const { apiKey: successor = '' } = await operate(
  'keys',
  'rotate',
  replaced.keyId,
  '--overlap',
  '24h',
  '--yes',
);

const everyField = {
  productDocumentId: 'free',
  customerPrice: 12.5,
  phone: '+33 1 23 45 67 89',
  redirectURL: 'https://shop.example/thanks?cart={CART_ID}',
  meta: { order: '42', constructor: 'x', 'clé 🔑': '' },
};
const created = {
  waiting: await create(live.apiKey, { productDocumentId: 'fixed' }),
  waitingRetried: await create(live.apiKey, { productDocumentId: 'fixed' }, { 'Idempotency-Key': 'order-1' }),
  everyField: await create(live.apiKey, everyField, {
    'Idempotency-Key': 'order-2',
    'Accept-Language': 'de-AT',
  }),
  completed: await create(test.apiKey, { productDocumentId: 'fixed', meta: { order: '43' } }),
  failed: await create(test.apiKey, everyField),
  failedThenCompleted: await create(test.apiKey, { productDocumentId: 'free' }),
  completedLate: await create(test.apiKey, { productDocumentId: 'fixed' }),
};
const actions: readonly (readonly [keyof typeof created, string])[] = [
  ['completed', 'pay'],
  ['failed', 'decline'],
  ['failedThenCompleted', 'decline'],
  ['failedThenCompleted', 'pay'],
  ['completedLate', 'pay_late'],
];
for (const [cart, action] of actions) {
  const body = new URLSearchParams({ action });
  await fetch(`${baseUrl}/sandbox/checkout/${created[cart].id}`, {
    method: 'POST',
    body,
    redirect: 'manual',
  });
}

const carts: StoredCart[] = [];
for (const [cartName, { id, request }] of Object.entries(created)) {
  const { apiKey } = request;
  carts.push({ name: cartName, id, apiKey, responseText: await get(apiKey, id) });
}
const fixture: UpgradeFixture = {
  madeAtMs: Date.now(),
  keys: {
    working: [test.apiKey, live.apiKey, replaced.apiKey, successor],
    halfEmpty: halfEmpty.apiKey,
    rejected: [revoked.apiKey],
    endsWithinADay: replaced.apiKey,
  },
  carts,
  retries: [created.waitingRetried, created.everyField].map(({ request, responseText }) => ({
    ...request,
    responseText,
  })),
};

stage.kill('SIGINT');
await once(stage, 'close');
const target = join(import.meta.dirname, name);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'data.sqlite.gz'), gzipSync(readFileSync(dataFile), { level: 9 }));
writeFileSync(join(target, 'data.json'), `${JSON.stringify(fixture, undefined, 2)}\n`);
