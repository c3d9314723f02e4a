import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ACTION_LIMITS, createActionLimiter } from '../../functions/sandbox-checkout/action-limit.ts';
import { localClientConfig } from '../../infra/local/local-database.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import { createDocumentClient } from '../../lib/aws.ts';
import { createCanaryKey } from '../../lib/canary/canary-key.ts';
import { createAbandonmentRepository } from '../../lib/carts/abandonment-repository.ts';
import { createCartRepository } from '../../lib/carts/cart-repository.ts';
import { expireCart } from '../../lib/carts/expire-cart.ts';
import { createDeliveryRepository } from '../../lib/deliveries/delivery-repository.ts';
import { type DeliveryMessage, deliveryId, deliveryMessageOf } from '../../lib/deliveries/delivery.ts';
import { createLeases, type Lease } from '../../lib/deliveries/leases.ts';
import { createParkedDeliveries } from '../../lib/deliveries/parked-deliveries.ts';
import { createEndpointRegistry } from '../../lib/endpoints/endpoint-registry.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { endpointKey } from '../../lib/endpoints/endpoint-items.ts';
import { createEndpointTimers } from '../../lib/endpoints/endpoint-timers.ts';
import { createCartEraser } from '../../lib/erasures/cart-eraser.ts';
import { createErasureLedger } from '../../lib/erasures/erasure-ledger.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import { IDEMPOTENCY_SECRET_IDS, readIdempotencySecret } from '../../lib/idempotency/idempotency-secret.ts';
import { createApiKeyRepository } from '../../lib/operators/api-key-repository.ts';
import { eraseResponses } from '../../lib/operators/delivery-eraser.ts';
import { eraseEvents } from '../../lib/operators/event-eraser.ts';
import { createReportRepository } from '../../lib/operators/manual-report-repository.ts';
import { createProductCatalogue } from '../../lib/operators/product-catalogue.ts';
import { createPaymentRepository } from '../../lib/payments/payment-repository.ts';
import { recordPayment } from '../../lib/payments/record-payment.ts';
import { createStoreRepository } from '../../lib/stores/store-repository.ts';
import { timerOf } from '../../lib/timers/timer.ts';
import { NOW_MS } from '../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../support/database.ts';
import { type RecordedCall, startDynamodbProxy } from '../support/dynamodb-proxy.ts';
import { newEndpoint, storeEndpoint } from '../support/endpoints.ts';
import { payment, refund, waitingCart } from '../support/payments.ts';
import { fixedProduct } from '../support/products.ts';

const now = () => NOW_MS;

const isWrite = ({ operation }: RecordedCall): boolean => /Put|Update|Delete|Write/.test(operation);

const cartsOf = ({ documents, tableNames }: TestDatabase) => {
  const log = createEventLog(documents, tableNames.events, { now });
  const events = createEventRepository(documents, tableNames.events);
  return {
    carts: createCartRepository(documents, tableNames.carts, now),
    payments: createPaymentRepository(documents, tableNames.carts, { log, now }),
    abandonments: createAbandonmentRepository(tableNames.carts, log),
    eventsOf: async (storeId: string) => (await events.first({ storeId, mode: 'live' }, 100)).events,
  };
};

/** A cart of a store of its own. */
const givenCart = async (database: TestDatabase) => {
  const cart = waitingCart({ storeId: randomUUID() });
  await cartsOf(database).carts.create(cart);
  return cart;
};

const givenEndpoint = async (database: TestDatabase) => {
  const endpoint = newEndpoint({ mode: 'live' });
  await storeEndpoint(database, endpoint);
  const { documents, tableNames } = database;
  const { webhookEndpoints } = tableNames;
  const leases = createLeases(documents, webhookEndpoints, now);
  return {
    endpoint,
    leases,
    endpoints: createEndpointRepository(documents, webhookEndpoints),
    timers: createEndpointTimers(documents, webhookEndpoints),
    lease: async (): Promise<Lease> => {
      const lease = await leases.take(endpoint);
      if ('outcome' in lease) throw new Error(`The lease is ${lease.outcome}`);
      return lease;
    },
  };
};

const messageTo = (endpointId: string): DeliveryMessage =>
  deliveryMessageOf(
    { storeId: 'shop', mode: 'live', endpointId },
    { id: 'evt_1', type: 'cart.completed', recordedAtMs: NOW_MS, sequence: 1 },
  );

const attemptNumber = (attempt: number) => ({
  status: 'retrying' as const,
  attempt: { atMs: NOW_MS + attempt, attempt, status: 500, ms: 5, response: 'text' },
});

/** A use of the writes of these files, and its result, which names nothing that differs between two runs. */
interface Use {
  readonly files: readonly string[];
  readonly run: (database: TestDatabase) => Promise<unknown>;
}

const USES: Readonly<Record<string, Use>> = {
  stores: {
    files: ['lib/stores/store-repository.ts'],
    async run({ documents, tableNames }) {
      const stores = createStoreRepository(documents, tableNames.stores);
      const store = { id: randomUUID(), name: 'Shop', createdAtMs: NOW_MS };
      const results = [
        await stores.putIfMissing(store),
        await stores.putIfMissing({ ...store, name: 'Late' }),
      ];
      return [results, (await stores.put({ ...store, name: 'Other', createdAtMs: 1 })).createdAtMs];
    },
  },
  products: {
    files: ['lib/operators/product-catalogue.ts'],
    async run({ documents, tableNames }) {
      const catalogue = createProductCatalogue(documents, tableNames.products);
      const product = fixedProduct({ id: randomUUID() });
      return [
        await catalogue.put(product),
        await catalogue.setAvailable(product.id, false),
        await catalogue.put({ ...product, storeId: 'other' }),
      ];
    },
  },
  'keys and their limits': {
    files: ['lib/operators/api-key-repository.ts', 'lib/api-keys/key-items.ts'],
    async run({ documents, tableNames }) {
      const keys = createApiKeyRepository(documents, tableNames.apiKeys);
      const buckets = createStoredBucket(documents, tableNames.apiKeys);
      const secret = generateApiKey('test');
      const limits = { limit: 3, windowSeconds: 60 };
      const { keyId } = await keys.issue({ secret, storeId: 's', mode: 'test', ...limits, nowMs: NOW_MS });
      const takes: string[] = [];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (let take = 0; take < 4; take += 1) takes.push((await buckets.take({ keyId, now })).outcome);
      const changed = await keys.setLimits(keyId, { limit: 5, windowSeconds: 60 }, NOW_MS);
      const filled = await keys.refill(keyId, NOW_MS);
      const ending = await keys.endAt(keyId, NOW_MS + 1_000, NOW_MS);
      return [takes, changed?.tatMicros, filled?.tatMicros, ending, await keys.revoke(keyId, NOW_MS)];
    },
  },
  'a key of one request a minute': {
    files: [],
    async run({ documents, tableNames }) {
      const keys = createApiKeyRepository(documents, tableNames.apiKeys);
      const buckets = createStoredBucket(documents, tableNames.apiKeys);
      const key = { storeId: 's', mode: 'test', limit: 1, windowSeconds: 60, nowMs: NOW_MS } as const;
      const { keyId } = await keys.issue({ secret: generateApiKey('test'), ...key });
      return (await buckets.take({ keyId, now })).outcome;
    },
  },
  'carts and their payments': {
    files: ['lib/carts/cart-repository.ts', 'lib/payments/payment-repository.ts', 'lib/events/event-log.ts'],
    async run(database) {
      const repositories = cartsOf(database);
      const cart = waitingCart({ storeId: randomUUID() });
      const created = await repositories.carts.create(cart);
      const success = payment();
      const early = refund({ paymentId: success.paymentId });
      const events = [
        { payment: payment({ result: 'failed' }) },
        { refund: early },
        { payment: success },
        { refund: refund({ paymentId: success.paymentId }) },
      ];
      const recorded: unknown[] = [];
      for (const event of events) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { outcome, refunds } = await recordPayment(
          { cartId: cart.id, mode: 'live', ...event } as never,
          repositories,
        );
        recorded.push(outcome, refunds);
      }
      const types = (await repositories.eventsOf(cart.storeId)).map(({ type }) => type);
      return [created.outcome, recorded, types, (await repositories.carts.find(cart.id))?.payments?.length];
    },
  },
  expiry: {
    files: [],
    async run(database) {
      const cart = await givenCart(database);
      const repositories = cartsOf(database);
      const { outcome } = await expireCart(cart, { ...repositories, now }, AbortSignal.timeout(4_000));
      return [outcome, (await repositories.eventsOf(cart.storeId)).length];
    },
  },
  erasure: {
    files: ['lib/erasures/cart-eraser.ts', 'lib/erasures/erasure-ledger.ts', 'lib/operators/event-eraser.ts'],
    async run(database) {
      const { documents, tableNames } = database;
      const cart = await givenCart(database);
      const repositories = cartsOf(database);
      await recordPayment({ cartId: cart.id, mode: 'live', payment: payment() } as never, repositories);
      const paid = (await repositories.carts.find(cart.id)) ?? cart;
      const eraser = createCartEraser(documents, createErasureLedger(documents, tableNames.erasures), now);
      const found = [{ tableName: tableNames.carts, cart: paid }];
      const events = await repositories.eventsOf(cart.storeId);
      return [await eraser.erase(found), await eraseEvents(documents, tableNames.events, events)];
    },
  },
  'reports by hand': {
    files: ['lib/operators/manual-report-repository.ts'],
    async run({ documents, tableNames }) {
      const reports = createReportRepository(documents, tableNames.carts);
      const cart = waitingCart();
      const first = payment();
      return [
        await reports.add(cart, [], first),
        await reports.add(cart, [first], payment()),
        await reports.add(cart, [first], payment()),
      ];
    },
  },
  'deliveries and their erasure': {
    files: ['lib/deliveries/delivery-repository.ts', 'lib/operators/delivery-eraser.ts'],
    async run({ documents, tableNames, endpoint }) {
      const repositoryOf = (client: typeof documents) =>
        createDeliveryRepository(client, tableNames.deliveries, now);
      const deliveries = repositoryOf(documents);
      const direct = repositoryOf(createDocumentClient(localClientConfig(endpoint)));
      const message = messageTo(randomUUID());
      const key = { endpointId: message.endpoint.endpointId, id: deliveryId(message) };
      for (let attempt = 1; attempt <= 22; attempt += 1) {
        const repository = attempt === 1 || attempt > 20 ? deliveries : direct;
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await repository.record(message, attemptNumber(attempt), NOW_MS);
      }
      const made = (await deliveries.find(message))?.attempts.map(({ attempt }) => attempt);
      return [made, await eraseResponses(documents, tableNames.deliveries, [key], NOW_MS)];
    },
  },
  'leases of slots': {
    files: ['lib/deliveries/leases.ts'],
    async run(database) {
      const { endpoint, leases, lease, endpoints } = await givenEndpoint(database);
      const first = await lease();
      const released = await leases.release(first, { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS });
      const second = await lease();
      await leases.free(second);
      const third = await lease();
      const { state } = (await endpoints.get(endpoint)) ?? {};
      return [first.slot, released.counts, second.slot, third.slot, state?.failures];
    },
  },
  'timers of endpoints': {
    files: ['lib/endpoints/endpoint-timers.ts', 'lib/timers/timer-repository.ts'],
    async run(database) {
      const { endpoint, leases, lease, timers } = await givenEndpoint(database);
      await timers.notePark(endpoint, NOW_MS);
      const key = endpointKey(endpoint);
      const due = { key, ...timerOf('probe', endpoint.endpointId, NOW_MS) };
      const held = await lease();
      await timers.notePark(endpoint, NOW_MS);
      const drained = await leases.freeDrained(held);
      const claimed = await timers.claim(due, NOW_MS + 60_000);
      const claimedAgain = await timers.claim(due, NOW_MS + 90_000);
      const later = { ...due, timerAtMs: NOW_MS + 60_000 };
      await timers.repository.postpone(later, NOW_MS + 70_000);
      return [drained, claimed?.endpointId === endpoint.endpointId, claimedAgain];
    },
  },
  endpoints: {
    files: ['lib/endpoints/endpoint-repository.ts'],
    async run({ documents, tableNames }) {
      const { webhookEndpoints } = tableNames;
      const log = createEventLog(documents, tableNames.events, { now });
      const registry = createEndpointRegistry(documents, tableNames, { log, now });
      const endpoints = createEndpointRepository(documents, webhookEndpoints);
      const endpoint = newEndpoint();
      const { outcome } = await registry.create(endpoint);
      const tests = [
        await endpoints.takeSend(endpoint, 'test', NOW_MS),
        await endpoints.takeSend(endpoint, 'test', NOW_MS + 1),
      ];
      const isMoved = await registry.update(endpoint, { url: 'https://other.example' });
      const secret = await registry.rotateSecret(endpoint, 0);
      const isRemoved = await registry.remove(endpoint);
      const { count } = await endpoints.occupancyOf(endpoint, NOW_MS + 86_400_000);
      const types = (
        await createEventRepository(documents, tableNames.events).first(endpoint, 100)
      ).events.map(({ type }) => type);
      return [outcome, tests, isMoved, typeof secret, isRemoved, count, types];
    },
  },
  'parked deliveries': {
    files: ['lib/deliveries/parked-deliveries.ts', 'lib/core/batch-put.ts'],
    async run({ documents, tableNames }) {
      const parked = createParkedDeliveries(documents, tableNames.deliveries, now);
      const deliveries = createDeliveryRepository(documents, tableNames.deliveries, now);
      const message = messageTo(randomUUID());
      await deliveries.record(message, { status: 'waiting', reason: undefined }, NOW_MS);
      await parked.add([message]);
      const before = await parked.first(message.endpoint.endpointId, 1);
      await parked.remove(message);
      return [before.messages.length, await parked.first(message.endpoint.endpointId, 1)];
    },
  },
  'secrets of the stage': {
    files: ['lib/idempotency/idempotency-secret.ts', 'lib/canary/canary-key.ts'],
    async run({ documents, tableNames }) {
      const TableName = tableNames.secrets;
      await documents.send(new DeleteCommand({ TableName, Key: { id: IDEMPOTENCY_SECRET_IDS.carts } }));
      const read = async () =>
        Buffer.from(await readIdempotencySecret(documents, TableName, IDEMPOTENCY_SECRET_IDS.carts));
      const isSame = (await read()).equals(await read());
      const canary = createCanaryKey(documents, TableName);
      await canary.replace('key');
      return [isSame, await canary.find()];
    },
  },
  'actions of a cart': {
    files: ['functions/sandbox-checkout/action-limit.ts'],
    async run({ documents, tableNames }) {
      const limiter = createActionLimiter(documents, tableNames.testCarts);
      const cartId = randomUUID();
      const takes = Array.from({ length: ACTION_LIMITS.limit + 1 }, () => limiter.take.bind(limiter));
      const outcomes: string[] = [];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const take of takes) outcomes.push((await take(cartId, NOW_MS)).outcome);
      return outcomes;
    },
  },
};

/** The files of the service that write to DynamoDB. */
const WRITERS = globSync(['lib/**/*.ts', 'functions/**/*.ts']).filter((file) =>
  /new (?:Put|Update|Delete|BatchWrite|TransactWrite)(?:Item)?Command\(/.test(readFileSync(file, 'utf8')),
);

describe('a write whose response is lost', () => {
  it('is tried for every file that writes', () => {
    const tried = Object.values(USES).flatMap(({ files }) => files);
    expect(new Set(tried)).toStrictEqual(new Set(WRITERS));
  });

  it.each(Object.entries(USES))('keeps the result of %s', async (_, { run }) => {
    const database = await givenDatabase();
    const proxy = await startDynamodbProxy(database.endpoint);
    onTestFinished(() => proxy.close());
    let lost = 0;
    const runAndLose = async (nth: number) => {
      let writes = 0;
      proxy.setFault({
        fateOf: (call) => {
          if (!isWrite(call)) return 'forwarded';
          writes += 1;
          if (writes !== nth) return 'forwarded';
          lost += 1;
          return 'lost';
        },
      });
      const documents = createDocumentClient(localClientConfig(proxy.endpoint));
      return { result: await run({ ...database, documents }), writes };
    };
    const { result, writes } = await runAndLose(0);
    for (let nth = 1; nth <= writes; nth += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each run needs the proxy
      expect((await runAndLose(nth)).result, `of write ${nth}`).toStrictEqual(result);
    }
    expect(lost).toBe(writes);
  });
});
