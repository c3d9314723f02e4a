// Makes a fixture, with the date of today as its name: fills a local stage, and stores its items, the responses that later
// releases must still send, the template, and the contract. Run it on the commit of a release.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Action } from '../../functions/sandbox-checkout/actions.ts';
import { contractDocument } from '../../infra/contract/document.ts';
import { synthesise } from '../../infra/example-stages/synthesise.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../infra/local-access/local-names.ts';
import { TABLES } from '../../infra/stage/tables.ts';
import type { TableKind } from '../../lib/database/tables.ts';
import { createLogFolder, removeLogFolder } from '../support/logs/log-files.ts';
import { operateProcess, startService, stopProcesses } from '../support/programs/processes.ts';
import { cartIdOf, createHttpClient } from '../support/service/http-client.ts';
import { submitAction } from '../support/service/sandbox-page.ts';
import {
  contractToStore,
  formatItems,
  type StoredCart,
  type StoredItems,
  type StoredTemplate,
  templateToStore,
  type UpgradeFixture,
} from './fixtures.ts';

const BUYER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const ERASED_EMAIL = 'grace@example.com';

createLogFolder();
const { baseUrl, dynamodbEndpoint } = await startService();
const client = createHttpClient(baseUrl);

/** Runs a command of the operators, and returns its JSON. */
const operate = async <Result = Readonly<Record<string, string>>>(
  ...args: readonly string[]
): Promise<Result> => {
  const { exitCode, stdout, stderr } = await operateProcess(
    ...args,
    '--dynamodb',
    dynamodbEndpoint,
    '--json',
  );
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Result;
};

const issue = async (...flags: readonly string[]): Promise<{ apiKey: string; keyId: string }> => {
  const { apiKey = '', keyId = '' } = await operate('keys', 'issue', '--store', 'shop', '--yes', ...flags);
  return { apiKey, keyId };
};

const create = async (apiKey: string, fields: object, headers: Record<string, string> = {}) => {
  const body = JSON.stringify({ ...BUYER, ...fields });
  const response = await client.createCart(body, { apiKey, headers });
  if (response.status !== 201) throw new Error(response.bodyText);
  return { id: cartIdOf(response), apiKey, body, headers, responseText: response.bodyText };
};

await operate('stores', 'put', 'shop', '--name', 'shop');
// Nothing listens there, so each delivery waits for its next attempt. After five failures, the stage would hold it back.
const HOOK = 'webhooks create --store shop --url http://127.0.0.1:1/hook --yes --mode'.split(' ');
const { id: endpointId = '' } = await operate(...HOOK, 'test', '--events', 'cart.payment_failed');
// It gets the event of its own creation.
await operate(...HOOK, 'live');
// It gets no event, so it stays as it was created.
await operate(...HOOK, 'live', '--events', 'cart.completed');
const product = (id: string, ...flags: readonly string[]) =>
  operate('products', 'put', id, '--store', 'shop', '--name', id, '--currency', 'EUR', ...flags);
await product('fixed', '--price', '49.90');
await product('free', '--free', '--minimum', '1', '--suggested', '5');
await product('unavailable', '--price', '9.90', '--unavailable');

const test = await issue('--mode', 'test', '--limit', '1000', '--lang', 'fr-FR', '--label', 'Test shop');
const live = await issue('--mode', 'live', '--limit', '1000', '--expires-in', '3650d');
// A token every three days: the bucket is the same when the test starts.
const halfEmpty = await issue('--mode', 'live', '--limit', '10', '--window', '2592000');
for (let taken = 0; taken < 5; taken += 1) await client.getCart('unknown', halfEmpty);
const revoked = await issue('--mode', 'test');
await operate('keys', 'revoke', revoked.keyId, '--yes');
const replaced = await issue('--mode', 'test');
const successor = await operate('keys', 'rotate', replaced.keyId, '--overlap', '24h', '--yes');

const everyField = {
  productDocumentId: 'free',
  customerPrice: 12.5,
  phone: '+33 1 23 45 67 89',
  expiresInMinutes: 60,
  redirectURL: 'https://shop.example/thanks?cart={CART_ID}',
  meta: { order: '42', constructor: 'x', 'clé 🔑': '' },
};
const fixed = { productDocumentId: 'fixed' };
const created = {
  waiting: await create(live.apiKey, fixed),
  waitingRetried: await create(live.apiKey, fixed, { 'Idempotency-Key': 'order-1' }),
  everyField: await create(live.apiKey, everyField, {
    'Idempotency-Key': 'order-2',
    'Accept-Language': 'de-AT',
  }),
  completed: await create(test.apiKey, { ...fixed, meta: { order: '43' } }),
  failed: await create(test.apiKey, everyField),
  failedThenCompleted: await create(test.apiKey, { productDocumentId: 'free' }),
  completedLate: await create(test.apiKey, fixed),
  refunded: await create(test.apiKey, fixed),
  failedWithReason: await create(live.apiKey, fixed),
  erased: await create(live.apiKey, { ...everyField, email: ERASED_EMAIL }),
};
await operate('buyers', 'erase', '--email', ERASED_EMAIL, '--yes');
const actions: readonly (readonly [keyof typeof created, Action])[] = [
  ['completed', 'pay'],
  ['failed', 'decline'],
  ['failedThenCompleted', 'decline'],
  ['failedThenCompleted', 'pay'],
  ['completedLate', 'pay_late'],
  ['refunded', 'pay'],
];
for (const [cart, action] of actions) await submitAction(baseUrl, created[cart].id, action);

const report = (cartId: string, ...flags: readonly string[]) =>
  operate('payments', 'send', '--cart', cartId, '--yes', ...flags);
await report(created.refunded.id, '--result', 'refunded', '--amount', '5.00', '--provider-id', 'refund-1');
await report(created.failedWithReason.id, '--result', 'failed', '--failure-reason', 'card_declined');

/** Waits until this number of deliveries have an attempt. */
const waitForDeliveries = async (count: number): Promise<void> => {
  for (;;) {
    const { deliveries } = await operate<{
      readonly deliveries: readonly { readonly attempts: readonly object[] }[];
    }>('webhooks', 'deliveries', endpointId);
    if (deliveries.filter(({ attempts }) => attempts.length > 0).length === count) return;
    await setTimeout(100);
  }
};

const feed = await client.send('GET', '/api/v1/stores/events', { Authorization: `Bearer ${test.apiKey}` });
const events = feed.body['events'] as readonly { readonly type: string }[];
// A second attempt follows five seconds later.
await waitForDeliveries(events.filter(({ type }) => type === 'cart.payment_failed').length);

/** The items of every table. */
const readItems = async (): Promise<StoredItems> => {
  const database = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const items: Record<string, StoredItems[string]> = {};
  for (const kind of Object.keys(TABLES) as TableKind[]) {
    const scan = new ScanCommand({ TableName: LOCAL_TABLE_NAMES[kind], ConsistentRead: true });
    items[TABLES[kind].name] = (await database.send(scan)).Items ?? [];
  }
  return items;
};

const carts: StoredCart[] = [];
for (const [name, { id, apiKey }] of Object.entries(created)) {
  carts.push({ name, id, apiKey, responseText: (await client.getCart(id, { apiKey })).bodyText });
}
const fixture: UpgradeFixture = {
  madeAtMs: Date.now(),
  keys: {
    working: [test.apiKey, live.apiKey, replaced.apiKey, successor['apiKey'] ?? ''],
    halfEmpty: halfEmpty.apiKey,
    rejected: [revoked.apiKey],
    endsWithinADay: replaced.apiKey,
  },
  carts,
  feed: { apiKey: test.apiKey, events },
  endpointId,
  retries: [created.waitingRetried, created.everyField].map(({ apiKey, body, headers, responseText }) => {
    return { apiKey, body, headers, responseText };
  }),
};

const folder = join(import.meta.dirname, new Date().toISOString().slice(0, 10));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'items.json.gz'), formatItems(await readItems()));
writeFileSync(join(folder, 'data.json'), `${JSON.stringify(fixture, undefined, 2)}\n`);
const { template: whole } = synthesise({
  stage: 'prod',
  checkoutUrl: 'https://pay.example.com',
  alarmEmail: 'ops@example.com',
});
const template = templateToStore(whole.toJSON() as StoredTemplate);
writeFileSync(join(folder, 'template.json'), `${JSON.stringify(template)}\n`);
const contract = contractToStore(contractDocument());
writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(contract)}\n`);
await stopProcesses();
removeLogFolder();
