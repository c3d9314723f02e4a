// The current code reads and continues the items of each fixture. docs/upgrade.md says how to add a fixture.
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { TABLES } from '../../infra/stage/tables.ts';
import { viewRetrievedCart } from '../../lib/carts/cart-view.ts';
import { createAbandonmentRepository } from '../../lib/carts/expiry/abandonment-repository.ts';
import { DAY_MS } from '../../lib/core/durations.ts';
import { inParts } from '../../lib/core/in-parts.ts';
import type { TableKind } from '../../lib/database/tables.ts';
import { createSecretRepository } from '../../lib/endpoints/secret-repository.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import { createOperatorDeliveryRepository } from '../../lib/operators/operator-delivery-repository.ts';
import { createOperatorEndpointRepository } from '../../lib/operators/operator-endpoint-repository.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import { NOW_MS } from '../support/clock.ts';
import type { ApiResponse } from '../support/contract/contract.ts';
import { expectError } from '../support/contract/expect-error.ts';
import { givenDatabase, type TestDatabase } from '../support/database/database.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import { endpointChangesOf } from '../support/domain/endpoints.ts';
import { eventLogOf, paymentRecordRepositoryOf } from '../support/domain/event-logs.ts';
import { payment, refund } from '../support/domain/payments.ts';
import { composeService, type TestService } from '../support/service/service.ts';
import { FIXTURES, readFixture, readItems, type StoredCart, type StoredItems } from './fixtures.ts';

const UNKNOWN_CART = '3268a0ca-a685-4cf5-becc-6176c4a0cf91';

/** Uses a key. */
const use = (service: TestService, apiKey: string): Promise<ApiResponse> =>
  service.getCart(UNKNOWN_CART, { apiKey });

/** A retrieved cart without `redirectUrl`, which follows from a setting of the stage. */
const cartOf = (responseText: string): Readonly<Record<string, unknown>> => {
  const { redirectUrl: _, ...cart } = JSON.parse(responseText) as Record<string, unknown>;
  return cart;
};

/** The view of a cart two days later, if nobody paid: an open cart has expired. */
const twoDaysLater = (responseText: string): Readonly<Record<string, unknown>> => {
  const before = cartOf(responseText);
  if (before['status'] !== 'waiting_payment') return before;
  return { ...before, status: 'abandoned', updatedAt: before['expiresAt'] };
};

const kindOf = (tableName: string): TableKind => {
  const [kind] = Object.entries(TABLES).find(([, { name }]) => name === tableName) ?? [];
  if (kind === undefined) throw new Error(`No table has the items of ${tableName}`);
  return kind as TableKind;
};

/** Tables with the items of a fixture. */
const givenItems = async (items: StoredItems): Promise<TestDatabase> => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  for (const [name, ofTable] of Object.entries(items)) {
    for (const part of inParts(ofTable, 25)) {
      const requests = part.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(
        new BatchWriteItemCommand({ RequestItems: { [tableNames[kindOf(name)]]: requests } }),
      );
    }
  }
  return database;
};

/** The service on these tables, at a time. */
const serviceAt = (database: TestDatabase, timeMs: number): TestService => {
  const service = composeService(database);
  service.clock.advance((timeMs - NOW_MS) / 1_000);
  return service;
};

describe.each(FIXTURES)('the items of %s, read by the current code', (date) => {
  const { madeAtMs, keys, carts, retries, feed, endpointId } = readFixture(date);
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await givenItems(readItems(date));
    service = serviceAt(database, madeAtMs);
  });

  test('keys work, and revoked ones do not', async () => {
    for (const apiKey of keys.working) expectError(await use(service, apiKey), 'cartNotFound');
    for (const apiKey of keys.rejected) expectError(await use(service, apiKey), 'invalidApiKey');
  });

  test('a bucket that is half empty stays so', async () => {
    const remaining = [];
    for (let taken = 0; taken < 6; taken += 1) {
      const { status, headers } = await use(service, keys.halfEmpty);
      remaining.push([status, headers['x-ratelimit-remaining']]);
    }
    const passed = ['4', '3', '2', '1', '0'].map((left) => [404, left]);
    expect(remaining).toStrictEqual([...passed, [429, '0']]);
  });

  test.each(carts)('the cart $name keeps each field', async ({ id, apiKey, responseText }) => {
    expect((await service.getCart(id, { apiKey })).body).toMatchObject(cartOf(responseText));
  });

  test('products are sold as before', async () => {
    const [apiKey] = keys.working;
    const statusOf = async (id: string) => (await service.createCart(cartBody(id), { apiKey })).status;
    expect([await statusOf('fixed'), await statusOf('free'), await statusOf('unavailable')]).toStrictEqual([
      201, 201, 400,
    ]);
  });

  const cartNamed = (wanted: string): StoredCart => carts.find((cart) => cart.name === wanted)!;

  test('two days later, a rotated key has ended, and carts that wait are abandoned', async () => {
    const laterMs = madeAtMs + 2 * DAY_MS;
    expectError(await use(serviceAt(database, laterMs), keys.endsWithinADay), 'invalidApiKey');
    for (const { id, responseText } of carts) {
      const { live, test: inTest } = service.carts;
      const view = viewRetrievedCart(((await live.find(id)) ?? (await inTest.find(id)))!, laterMs);
      expect(view).toMatchObject(twoDaysLater(responseText));
    }
  });

  test('a retry that spans the upgrade finds its cart', async () => {
    expect(retries).not.toHaveLength(0);
    for (const { apiKey, body, headers, responseText } of retries) {
      const replayed = await service.createCart(body, { apiKey, headers });
      expect(replayed.headers['idempotent-replayed']).toBe('true');
      const { cart } = JSON.parse(responseText) as { readonly cart: object };
      expect(replayed.body).toMatchObject({ cart });
    }
  });

  test('a payment completes a cart, a refund follows, and their events follow those in the log', async () => {
    const { id } = cartNamed('waiting');
    const { documents, tableNames } = database;
    const log = { storeId: 'shop', mode: 'live' } as const;
    const paid = payment({ amount: 49.9, occurredAtMs: madeAtMs });
    const repositories = {
      carts: service.carts.live,
      paymentRecords: paymentRecordRepositoryOf(database, 'carts', () => madeAtMs),
    };
    const given = refund({ paymentId: paid.paymentId, occurredAtMs: madeAtMs });
    for (const report of [{ payment: paid }, { refund: given }]) {
      const recorded = await recordPaymentEvent({ cartId: id, mode: 'live', ...report }, repositories);
      expect(recorded).toMatchObject({ outcome: 'recorded', cart: { status: 'completed' } });
    }
    const last = (await createEventRepository(documents, tableNames.events).last(log))!;
    expect(last.event).toMatchObject({ type: 'cart.refunded', cartId: id });
    const before = await createEventRepository(documents, tableNames.events).find(
      log,
      last.sequence - 1,
      madeAtMs,
    );
    expect(before).toMatchObject({ type: 'cart.completed', cartId: id });
  });

  test('an expired cart becomes an event', async () => {
    const { id } = cartNamed('everyField');
    const log = eventLogOf(database, () => madeAtMs + 2 * DAY_MS);
    const cart = (await service.carts.live.find(id))!;
    const abandonments = createAbandonmentRepository(database.tableNames.carts, log);
    expect(await abandonments.save(cart, madeAtMs + 2 * DAY_MS)).toBe(true);
  });

  test('the feed has the same events', async () => {
    const { apiKey, events } = feed;
    expect(events).not.toHaveLength(0);
    const { body } = await service.send('listEvents', { apiKey });
    expect(body).toMatchObject({ events });
  });

  test('endpoints, their secrets and their deliveries are readable, and a secret can be rotated', async () => {
    const { documents, tableNames } = database;
    const endpoint = await createOperatorEndpointRepository(documents, tableNames.webhookEndpoints).findById(
      endpointId,
    );
    expect(endpoint).toMatchObject({ storeId: 'shop', mode: 'test', url: 'http://127.0.0.1:1/hook' });
    const secrets = createSecretRepository(documents, tableNames.secrets);
    const stored = await secrets.find(endpointId);
    expect(stored).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    const changes = endpointChangesOf(database, () => madeAtMs);
    const { secret } = (await changes.rotateSecret(endpoint!, DAY_MS))!;
    expect(await secrets.find(endpointId)).toMatchObject({ secret, previous: { secret: stored?.secret } });
    const deliveries = await createOperatorDeliveryRepository(
      documents,
      tableNames.deliveries,
      () => madeAtMs,
    ).listOf(endpointId);
    const received = feed.events.filter(({ type }) => endpoint!.eventTypes?.includes(type) ?? true);
    expect(deliveries).toHaveLength(received.length);
    expect(received).not.toHaveLength(0);
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ status: 'retrying', attempts: [{ error: 'connectionFailed' }] });
    }
  });
});
