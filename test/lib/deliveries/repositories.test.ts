import { type BatchWriteCommandInput, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { PUTS_PER_BATCH_MAX } from '../../../lib/database/batch-put.ts';
import { createParkedDeliveries } from '../../../lib/deliveries/parking/parked-deliveries.ts';
import { type DeliveryMessage, deliveryMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import {
  type EndpointRef,
  generateEndpointId,
  type WebhookEndpoint,
} from '../../../lib/endpoints/endpoint.ts';
import { createSendIntervals } from '../../../lib/endpoints/send-intervals.ts';
import { createOperatorDeliveryRepository } from '../../../lib/operators/operator-delivery-repository.ts';
import { createOperatorEndpointRepository } from '../../../lib/operators/operator-endpoint-repository.ts';
import { NOW_MS } from '../../support/clock.ts';
import { aroundCalls } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { newEndpoint, storeEndpoint } from '../../support/domain/endpoints.ts';
import { givenOpenEndpoint } from './support/leased-endpoint.ts';

const database = await givenDatabase();
const endpoints = createOperatorEndpointRepository(database.documents, database.tableNames.webhookEndpoints);
const sendIntervals = createSendIntervals(database.documents, database.tableNames.webhookEndpoints);

/** The endpoint as the store returns it before its first attempt. */
const fresh = (endpoint: WebhookEndpoint) =>
  expect.objectContaining({ ...endpoint, state: expect.objectContaining({ failures: 0 }) });

describe('endpoints', () => {
  it('are found by their id, by their log, and among all', async () => {
    const endpoint = newEndpoint({ eventTypes: ['cart.completed'], label: 'shop' });
    const other = newEndpoint({ storeId: endpoint.storeId, mode: 'live' });
    await storeEndpoint(database, endpoint);
    await storeEndpoint(database, other);
    expect(await endpoints.findById(endpoint.endpointId)).toStrictEqual(fresh(endpoint));
    expect(await endpoints.find(endpoint)).toStrictEqual(fresh(endpoint));
    expect(await endpoints.listOf(endpoint)).toStrictEqual([fresh(endpoint)]);
    expect(await endpoints.list()).toStrictEqual(expect.arrayContaining([fresh(endpoint), fresh(other)]));
    expect(await endpoints.findById(generateEndpointId())).toBeUndefined();
  });

  it('get a test and a resend at most every ten seconds, and none after their removal', async () => {
    const endpoint = newEndpoint();
    expect(await sendIntervals.begin(endpoint, 'test', NOW_MS)).toBe(false);
    expect(await endpoints.find(endpoint)).toBeUndefined();
    await storeEndpoint(database, endpoint);
    const taken = [0, 9_999, 10_000, 19_999].map(
      (afterMs) => () => sendIntervals.begin(endpoint, 'test', NOW_MS + afterMs),
    );
    const results: boolean[] = [];
    for (const take of taken) results.push(await take());
    expect(results).toStrictEqual([true, false, true, false]);
    const resend = () => sendIntervals.begin(endpoint, 'resend', NOW_MS + 19_999);
    expect([await resend(), await resend()]).toStrictEqual([true, false]);
  });

  it('get a test once a minute while the breaker is open', async () => {
    const { endpoint } = await givenOpenEndpoint(database);
    const results: boolean[] = [];
    for (const afterMs of [0, 10_000, 59_999, 60_000])
      results.push(await sendIntervals.begin(endpoint, 'test', NOW_MS + afterMs));
    expect(results).toStrictEqual([true, false, false, true]);
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
    createOperatorDeliveryRepository(database.documents, database.tableNames.deliveries, () => NOW_MS);
  const attempt = (count: number, status = 500) => ({ atMs: NOW_MS + count, attempt: count, status, ms: 3 });

  it('list the latest events first, up to a limit, since a time, or the failed ones', async () => {
    const endpoint = newEndpoint();
    for (const [offset, status] of [
      [1, 'succeeded'],
      [2, 'retrying'],
      [3, 'failed'],
      [4, 'succeeded'],
    ] as const) {
      const update = { status, result: attempt(1) };
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
    expect(await listed({ failedOnly: true, oldestFirst: true, limit: 1 })).toStrictEqual([2]);
  });

  it('are listed from every page', async () => {
    const endpoint = newEndpoint();
    // DynamoDB ends a page at 1 MB.
    const times = Array.from({ length: 4 }, (_, index) => NOW_MS + index);
    for (const timeMs of times) {
      const long = { ...attempt(1), response: 'x'.repeat(350_000) };
      await deliveries().record(messageOf(endpoint, timeMs), { status: 'failed', result: long }, NOW_MS);
    }
    for (const failedOnly of [false, true]) {
      const listed = await deliveries().listOf(endpoint.endpointId, { oldestFirst: true, failedOnly });
      expect(listed.map(({ recordedAtMs }) => recordedAtMs)).toStrictEqual(times);
    }
  });

  it('are listed in pages of at most 1 MB, of which only the last may be empty', async () => {
    const endpoint = newEndpoint();
    const long = { ...attempt(1), response: 'x'.repeat(350_000) };
    const update = { status: 'failed', result: long } as const;
    const EXPIRED_MS = NOW_MS - 31 * 86_400_000;
    // The latest four are past their deletion time: more than a page.
    for (let offset = 1; offset <= 8; offset += 1) {
      await deliveries().record(
        messageOf(endpoint, NOW_MS + offset),
        update,
        offset > 4 ? EXPIRED_MS : NOW_MS,
      );
    }
    const listed: number[] = [];
    let beforeMs: number | undefined;
    for (let hasMore = true; hasMore;) {
      const { signal } = new AbortController();
      const page = await deliveries().pageOf(endpoint.endpointId, {
        limit: 100,
        beforeMs,
        after: undefined,
        signal,
      });
      expect(page.deliveries.length).toBeGreaterThan(0);
      expect(page.deliveries.length).toBeLessThanOrEqual(3);
      listed.push(...page.deliveries.map(({ recordedAtMs }) => recordedAtMs - NOW_MS));
      beforeMs = page.deliveries.at(-1)?.recordedAtMs;
      ({ hasMore } = page);
    }
    expect(listed).toStrictEqual([4, 3, 2, 1]);
  });

  it('keep a success after a failed replay, and the last 20 attempts', async () => {
    const message = messageOf(newEndpoint(), NOW_MS);
    await deliveries().record(message, { status: 'succeeded', result: attempt(1, 200) }, NOW_MS);
    for (let count = 2; count <= 22; count += 1) {
      const update = {
        status: 'retrying',
        result: attempt(count),
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
  const repository = createOperatorDeliveryRepository(documents, tableNames.deliveries, () => timeMs);
  for (const nowMs of [NOW_MS, NOW_MS + 3_600_000])
    await repository.record(message, { status: 'retrying' }, nowMs);
  const Key = { endpointId, id: deliveryId(message) };
  const { Item } = await documents.send(new GetCommand({ TableName: tableNames.deliveries, Key }));
  const deleteAtSeconds = Math.floor(NOW_MS / 1_000) + 3_600 + 30 * 86_400;
  expect(Item?.['deleteAtSeconds']).toBe(deleteAtSeconds);
  timeMs = deleteAtSeconds * 1_000 - 1;
  expect(await repository.find(message)).toMatchObject({ id: Key.id });
  expect(await repository.listOf(endpointId)).toHaveLength(1);
  timeMs += 1;
  expect(await repository.find(message)).toBeUndefined();
  expect(await repository.listOf(endpointId)).toStrictEqual([]);
});

it('deliveries that DynamoDB leaves unprocessed are parked by the next call, and a message that came twice once', async () => {
  const { documents, tableNames } = database;
  const { deliveries: table } = tableNames;
  let isFirst = true;
  const throttled = database.newClient();
  aroundCalls(throttled, async ({ input }, next) => {
    const { RequestItems = {} } = input as unknown as BatchWriteCommandInput;
    const [first, ...others] = RequestItems[table] ?? [];
    if (!first || !isFirst) return next(input);
    isFirst = false;
    await next({ ...input, RequestItems: { [table]: [first] } });
    return { UnprocessedItems: { [table]: others } };
  });
  const endpoint = newEndpoint();
  const messages = [1, 2, 3].map((sequence) => {
    const event = { id: `evt_${sequence}`, type: 'cart.completed', recordedAtMs: NOW_MS, sequence };
    return deliveryMessageOf(endpoint, event);
  });
  const deliveries = createOperatorDeliveryRepository(documents, table, () => NOW_MS);
  for (const message of messages)
    await deliveries.record(message, { status: 'waiting', next: { attempt: 1 } }, NOW_MS);
  await createParkedDeliveries(throttled, table, () => NOW_MS).add([...messages, messages[1]!]);
  const parked = createParkedDeliveries(documents, table, () => NOW_MS);
  expect((await parked.first(endpoint.endpointId, 9)).messages).toStrictEqual(messages);
});

it('more deliveries are parked than one call stores', async () => {
  const { documents, tableNames } = database;
  const endpoint = newEndpoint();
  const times = Array.from({ length: PUTS_PER_BATCH_MAX + 1 }, (_, index) => NOW_MS + index);
  const messages = times.map((timeMs) => messageOf(endpoint, timeMs));
  const deliveries = createOperatorDeliveryRepository(documents, tableNames.deliveries, () => NOW_MS);
  for (const message of messages)
    await deliveries.record(message, { status: 'waiting', next: { attempt: 1 } }, NOW_MS);
  const parked = createParkedDeliveries(documents, tableNames.deliveries, () => NOW_MS);
  await parked.add(messages);
  const found = await parked.first(endpoint.endpointId, messages.length);
  expect(found.messages.map(({ recordedAtMs }) => recordedAtMs)).toStrictEqual(times);
});

it('the removal of a parked delivery that arrives late leaves its next attempt', async () => {
  const { documents, tableNames } = database;
  const parked = createParkedDeliveries(documents, tableNames.deliveries, () => NOW_MS);
  const deliveries = createOperatorDeliveryRepository(documents, tableNames.deliveries, () => NOW_MS);
  const event = { id: 'evt_1', type: 'cart.completed', recordedAtMs: NOW_MS, sequence: 1 };
  const first = deliveryMessageOf(newEndpoint(), event);
  const second = { ...first, attempt: 2 };
  await deliveries.record(second, { status: 'waiting', next: { attempt: 2 } }, NOW_MS);
  await parked.add([second]);
  await parked.remove(first);
  expect((await parked.first(first.endpoint.endpointId, 1)).messages).toStrictEqual([second]);
  await parked.remove(second);
  expect((await parked.first(first.endpoint.endpointId, 1)).isEmpty).toBe(true);
});
