// Fills a local stage with the code of a release. Stores its items, and the responses that later releases must still send:
//   node_modules/.bin/node test/upgrade/make-fixture.ts {checkout of the release} {folder, such as 2026-11-21}
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../infra/local/local-database.ts';
import {
  formatItems,
  type StoredCart,
  type StoredItems,
  type StoredRequest,
  type UpgradeFixture,
} from './fixtures.ts';
import { startRelease, TABLE_PREFIX } from './release-stage.ts';

const CHECKOUT_PATH = '/api/v1/stores/cart/checkout';
const BUYER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const ERASED_EMAIL = 'grace@example.com';

const [checkout = '', name = ''] = process.argv.slice(2);
const stage = await startRelease(checkout);
const { baseUrl, operate } = stage;

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

const get = async (apiKey: string, id: string): Promise<string> =>
  (await stage.get(`/api/v1/stores/cart/${id}`, apiKey)).text;

/** Runs a command that a release may not have. */
const operateIfKnown = (...args: readonly string[]): Promise<Record<string, string>> =>
  operate(...args).catch((error: { readonly code?: number }) => {
    if (error.code !== 2) throw error;
    return {};
  });

await operateIfKnown('stores', 'put', 'shop', '--name', 'shop');
// Nothing listens there, so each delivery waits for its next attempt.
const HOOK = 'webhooks create --store shop --url http://127.0.0.1:1/hook --yes --mode'.split(' ');
const { id: endpointId } = await operateIfKnown(...HOOK, 'test');
// No event of live mode follows: this endpoint stays as it was created.
await operateIfKnown(...HOOK, 'live');
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
  // Unpaid: after five failed deliveries, the stage holds back those of further events.
  erased: await create(live.apiKey, { ...everyField, email: ERASED_EMAIL }),
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

/** Waits until every event has a delivery with an attempt. */
const waitForDeliveries = async (events: number): Promise<void> => {
  for (;;) {
    const shown = (await operate('webhooks', 'deliveries', endpointId!)) as unknown as {
      readonly deliveries: readonly { readonly attempts: readonly object[] }[];
    };
    if (shown.deliveries.filter(({ attempts }) => attempts.length > 0).length === events) return;
    await setTimeout(100);
  }
};

/** The feed of the test key, or `undefined` if the release has none. */
const readFeed = async (): Promise<UpgradeFixture['feed']> => {
  const { status, text } = await stage.get('/api/v1/stores/events', test.apiKey);
  if (status !== 200) return undefined;
  const { events } = JSON.parse(text) as { readonly events: readonly object[] };
  return { apiKey: test.apiKey, events };
};

await operateIfKnown('buyers', 'erase', '--email', ERASED_EMAIL, '--yes');
await operateIfKnown('buyers', 'schedule-erasures', '--yes');
// Otherwise, due work begins a minute later. An earlier release does not know --yes.
await operateIfKnown('carts', 'schedule-expiries');
await operateIfKnown('carts', 'schedule-expiries', '--yes');
const feed = await readFeed();
if (endpointId !== undefined && feed) await waitForDeliveries(feed.events.length);

/** The items of every table, by the end of its name, as DynamoDB returns them. */
const readItems = async (): Promise<StoredItems> => {
  const client = new DynamoDBClient(localClientConfig(stage.dynamodbEndpoint));
  const items: Record<string, StoredItems[string]> = {};
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const TableName of TableNames) {
    const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
    items[TableName.slice(TABLE_PREFIX.length)] = Items;
  }
  return items;
};

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
  feed,
  endpointId,
  retries: [created.waitingRetried, created.everyField].map(({ request, responseText }) => ({
    ...request,
    responseText,
  })),
};

const items = await readItems();
await stage.end();
const target = join(import.meta.dirname, name);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'items.json.gz'), formatItems(items));
writeFileSync(join(target, 'data.json'), `${JSON.stringify(fixture, undefined, 2)}\n`);
