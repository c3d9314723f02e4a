import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { deliveryId, type DeliveryMessage, deliveryMessageOf } from '../../../lib/webhooks/delivery.ts';
import { createEndpointStore, type EndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import {
  type EndpointRef,
  ENDPOINTS_MAX,
  generateEndpointId,
  type WebhookEndpoint,
} from '../../../lib/webhooks/endpoint.ts';
import { createSecretStore } from '../../../lib/webhooks/secret-store.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let endpoints: EndpointStore;
beforeAll(async () => {
  database = await givenDatabase();
  endpoints = createEndpointStore(database.documents, database.tableNames.webhookEndpoints);
});

const newEndpoint = (changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  storeId: `store-${randomUUID()}`,
  mode: 'test',
  endpointId: generateEndpointId(),
  url: 'https://shop.example/hook',
  createdAtMs: NOW_MS,
  ...changes,
});

/** The endpoint as the store returns it before its first attempt. */
const fresh = (endpoint: WebhookEndpoint) =>
  expect.objectContaining({ ...endpoint, state: expect.objectContaining({ failures: 0 }) });

describe('endpoints', () => {
  it('are found by their id, by their log, and among all', async () => {
    const endpoint = newEndpoint({ events: ['cart.completed'], label: 'shop' });
    const other = newEndpoint({ storeId: endpoint.storeId, mode: 'live' });
    expect([await endpoints.create(endpoint), await endpoints.create(other)]).toStrictEqual([true, true]);
    expect(await endpoints.find(endpoint.endpointId)).toStrictEqual(fresh(endpoint));
    expect(await endpoints.get(endpoint)).toStrictEqual(fresh(endpoint));
    expect(await endpoints.listOf(endpoint)).toStrictEqual([fresh(endpoint)]);
    expect(await endpoints.list()).toStrictEqual(expect.arrayContaining([fresh(endpoint), fresh(other)]));
    expect(await endpoints.find(generateEndpointId())).toBeUndefined();
  });

  it(`are at most ${ENDPOINTS_MAX} in each mode of a store, also if several are created at once`, async () => {
    const { storeId } = newEndpoint();
    const create = () => endpoints.create(newEndpoint({ storeId }));
    for (let count = 1; count < ENDPOINTS_MAX; count += 1) expect(await create()).toBe(true);
    await Promise.all([create(), create(), create()]);
    expect((await endpoints.listOf({ storeId, mode: 'test' })).length).toBeLessThanOrEqual(ENDPOINTS_MAX);
    await create();
    expect(await create()).toBe(false);
    expect(await endpoints.listOf({ storeId, mode: 'test' })).toHaveLength(ENDPOINTS_MAX);
    expect(await endpoints.create(newEndpoint({ storeId, mode: 'live' }))).toBe(true);
  });

  it('change only in the given attributes, and lose those that are null', async () => {
    const endpoint = newEndpoint({ label: 'old' });
    await endpoints.create(endpoint);
    const disabled = { atMs: NOW_MS, reason: 'operator' } as const;
    const events = ['cart.abandoned'] as const;
    expect(await endpoints.update(endpoint, { disabled, events })).toStrictEqual(
      fresh({ ...endpoint, disabled, events }),
    );
    expect(await endpoints.update(endpoint, { disabled: null, events: null, label: 'new' })).toStrictEqual(
      fresh({ ...endpoint, label: 'new', disabled: undefined, events: undefined }),
    );
  });

  it('that do not exist are not created by a change', async () => {
    const endpoint = newEndpoint();
    expect(await endpoints.update(endpoint, { label: 'new' })).toBeUndefined();
    await endpoints.create(endpoint);
    await endpoints.remove(endpoint);
    expect(await endpoints.listOf(endpoint)).toStrictEqual([]);
  });
});

describe('secrets', () => {
  const secrets = (now = () => NOW_MS) => createSecretStore(database.documents, database.tableNames, now);

  it('are replaced by a rotation of an endpoint, and the one before signs until the end of the overlap', async () => {
    const endpoint = newEndpoint();
    const { endpointId: id } = endpoint;
    const first = await secrets().create(id);
    expect(await secrets().rotate(endpoint, 0)).toBeUndefined();
    await endpoints.create(endpoint);
    const second = await secrets().rotate(endpoint, 3_600_000);
    expect(await secrets().find(id)).toStrictEqual({
      id,
      secret: second,
      previous: { secret: first, untilMs: NOW_MS + 3_600_000 },
    });
    const third = await secrets().rotate(endpoint, 0);
    expect(await secrets().find(id)).toStrictEqual({ id, secret: third });
    await secrets().remove(id);
    expect(await secrets().find(id)).toBeUndefined();
    expect(await secrets().rotate(endpoint, 0)).toBeUndefined();
  });
});

const messageOf = (endpoint: EndpointRef, recordedAtMs: number): DeliveryMessage =>
  deliveryMessageOf(endpoint, {
    sequence: recordedAtMs,
    id: `evt_${recordedAtMs}`,
    type: 'cart.completed',
    recordedAtMs,
  });

describe('delivery records', () => {
  const deliveries = () =>
    createDeliveryStore(database.documents, database.tableNames.deliveries, () => NOW_MS);
  const attempt = (count: number, status = 500) => ({ atMs: NOW_MS + count, attempt: count, status, ms: 3 });

  it('list the latest events first, up to a limit, since a time, or the failed ones', async () => {
    const endpoint = newEndpoint();
    for (const [offset, status] of [
      [1, 'succeeded'],
      [2, 'retrying'],
      [3, 'failed'],
      [4, 'succeeded'],
    ] as const) {
      const update = { status, attempt: attempt(1) };
      await deliveries().record(messageOf(endpoint, NOW_MS + offset), update, NOW_MS);
    }
    const listed = async (options = {}) =>
      (await deliveries().listOf(endpoint.endpointId, options)).map(
        ({ recordedAtMs }) => recordedAtMs - NOW_MS,
      );
    expect(await listed()).toStrictEqual([4, 3, 2, 1]);
    expect(await listed({ limit: 2 })).toStrictEqual([4, 3]);
    expect(await listed({ sinceMs: NOW_MS + 3 })).toStrictEqual([4, 3]);
    expect(await listed({ failedOnly: true })).toStrictEqual([3, 2]);
    expect(await listed({ failedOnly: true, limit: 1 })).toStrictEqual([3]);
  });

  it('keep a success after a failed replay, and the last 20 attempts', async () => {
    const message = messageOf(newEndpoint(), NOW_MS);
    await deliveries().record(message, { status: 'succeeded', attempt: attempt(1, 200) }, NOW_MS);
    for (let count = 2; count <= 22; count += 1) {
      const update = {
        status: 'retrying',
        attempt: attempt(count),
        next: { attempt: count + 1, atMs: NOW_MS },
      } as const;
      await deliveries().record(message, update, NOW_MS);
    }
    const record = await deliveries().find(message);
    expect(record).toMatchObject({ status: 'succeeded', sequence: NOW_MS });
    expect(record?.attempts.map((each) => each.attempt)).toStrictEqual(
      Array.from({ length: 20 }, (_, index) => index + 3),
    );
  });
});

it('a delivery record is found until 30 days after its latest attempt', async () => {
  const message = messageOf(newEndpoint(), NOW_MS);
  const { endpointId } = message.endpoint;
  const { documents, tableNames } = database;
  let timeMs = NOW_MS;
  const store = createDeliveryStore(documents, tableNames.deliveries, () => timeMs);
  for (const nowMs of [NOW_MS, NOW_MS + 3_600_000])
    await store.record(message, { status: 'retrying' }, nowMs);
  const Key = { endpointId, id: deliveryId(message) };
  const { Item } = await documents.send(new GetCommand({ TableName: tableNames.deliveries, Key }));
  const deleteAtSeconds = Math.floor(NOW_MS / 1_000) + 3_600 + 30 * 86_400;
  expect(Item?.['deleteAtSeconds']).toBe(deleteAtSeconds);
  timeMs = deleteAtSeconds * 1_000 - 1;
  expect(await store.find(message)).toMatchObject({ id: Key.id });
  expect(await store.listOf(endpointId)).toHaveLength(1);
  timeMs += 1;
  expect(await store.find(message)).toBeUndefined();
  expect(await store.listOf(endpointId)).toStrictEqual([]);
});
