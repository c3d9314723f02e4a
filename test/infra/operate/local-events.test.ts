import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { createDeliveryQueue } from '../../../infra/local/delivery-queue.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createCartStores } from '../../../lib/carts/cart-stores.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import { eventsOf } from '../../support/events.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { operate } from '../../support/operate.ts';
import { waitingCart } from '../../support/payments.ts';

// The local stage's own tables, in the run's database. No process serves them.
const documents = createDocumentClient(localClientConfig(inject('dynamodbEndpoint')));
const { carts: cartsTable, testCarts: testCartsTable } = LOCAL_TABLE_NAMES;
const carts = createCartStores(documents, { cartsTable, testCartsTable }, Date.now);
const queue = createDeliveryQueue(documents, LOCAL_TABLE_NAMES.due, Date.now);

const run = (...args: readonly string[]) => operate([...args, '--dynamodb', inject('dynamodbEndpoint')]);

const runJson = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const { stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, string>;
};

const givenCart = async (mode: Cart['mode']): Promise<Cart> => {
  const cart = waitingCart({
    mode,
    storeId: `local-${randomUUID()}`,
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
    deleteAtSeconds: Date.now() / 1_000 + 7_200,
  });
  return (await carts[mode].create(cart)).cart;
};

const givenWebhook = async (storeId: string): Promise<string> => {
  await runJson('stores', 'put', storeId, '--name', 'Local');
  const flags = ['--store', storeId, '--mode', 'test', '--url', 'http://127.0.0.1:8080/hook'];
  return String((await runJson('webhooks', 'create', ...flags))['id']);
};

/** The messages for an endpoint that the local stage would deliver now. */
const queuedFor = async (id: string) => {
  const messages = await queue.list({ fromMs: 0, toMs: Date.now() });
  return messages.filter(({ endpointId }) => endpointId === id);
};

test('payments send records a payment of a live or a test cart, with its event, once', async () => {
  for (const mode of ['live', 'test'] as const) {
    const { id, storeId } = await givenCart(mode);
    const flags = ['--cart', id, '--result', 'succeeded', '--event-id', `paid-${id}`, '--yes'];

    const first = await runJson('payments', 'send', ...flags);
    const second = await runJson('payments', 'send', ...flags);

    expect(first).toMatchObject({ outcome: 'recorded', status: 'completed', mode });
    expect(second).toStrictEqual({ ...first, outcome: 'duplicate' });
    const events = await eventsOf({ documents, tableNames: LOCAL_TABLE_NAMES }, { storeId, mode });
    expect(events).toMatchObject([{ type: 'cart.completed', data: { id, paymentId: first['paymentId'] } }]);
  }
});

test('payments send reports the rejection of a payment', async () => {
  const { id } = await givenCart('test');

  expectFailure(
    await run('payments', 'send', '--cart', id, '--result', 'succeeded', '--amount', '1'),
    1,
    /rejects this payment: amountMismatch/,
  );
});

test('webhooks create accepts http to this machine, no other http address, and names what it accepts', async () => {
  const storeId = `local-${randomUUID()}`;
  expect(await givenWebhook(storeId)).toMatch(/^we_/);

  const flags = ['--store', storeId, '--mode', 'test', '--url', 'http://192.168.0.1/hook'];
  expectFailure(await run('webhooks', 'create', ...flags), 2, /this machine/);
  const ftp = ['--store', storeId, '--mode', 'test', '--url', 'ftp://127.0.0.1/hook'];
  expectFailure(
    await run('webhooks', 'create', ...ftp),
    2,
    /^The address must begin with https:\/\/, or with http:\/\/ and point to this machine\.\n$/,
  );
});

test('webhooks test and webhooks replay put their messages on the durable queue', async () => {
  const { id: cartId, storeId } = await givenCart('test');
  await runJson('payments', 'send', '--cart', cartId, '--result', 'failed');
  const id = await givenWebhook(storeId);

  expectFailure(await run('webhooks', 'test', id), 1, /The stage local has not delivered the ping/);
  expect(await queuedFor(id)).toHaveLength(1);
  expect(await runJson('webhooks', 'replay', id, '--since', '2020-01-01T00:00:00Z')).toStrictEqual({
    id,
    replayed: 1,
  });
  expect(await queuedFor(id)).toHaveLength(2);
});
