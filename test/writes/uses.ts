import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import { createCanaryKeyRepository } from '../../lib/canary/canary-key-repository.ts';
import { createActionBuckets } from '../../lib/carts/action-buckets.ts';
import { createCartRepository } from '../../lib/carts/cart-repository.ts';
import { createAbandonmentRepository } from '../../lib/carts/expiry/abandonment-repository.ts';
import { expireNow } from '../../lib/carts/expiry/expire-now.ts';
import { eventsAmong } from '../../lib/events/event-item.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import {
  IDEMPOTENCY_SECRET_IDS,
  readOrCreateIdempotencySecret,
} from '../../lib/idempotency/idempotency-secret.ts';
import { createApiKeyRepository } from '../../lib/operators/api-key-repository.ts';
import { eraseEvents } from '../../lib/operators/erasures/erase-events.ts';
import { createErasureLedger } from '../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../lib/operators/erasures/record-and-erase-carts.ts';
import { createManualReportRepository } from '../../lib/operators/manual-report-repository.ts';
import { createOperatorProductRepository } from '../../lib/operators/operator-product-repository.ts';
import { createOperatorStoreRepository } from '../../lib/operators/operator-store-repository.ts';
import { createPaymentRecordRepository } from '../../lib/payments/payment-record-repository.ts';
import { recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import { NOW_MS } from '../support/clock.ts';
import type { TestDatabase } from '../support/database/database.ts';
import { payment, refund, waitingCart } from '../support/domain/payments.ts';
import { fixedProduct } from '../support/domain/products.ts';
import { ENDPOINT_USES, type Use } from './endpoint-uses.ts';

const now = () => NOW_MS;

const cartsOf = ({ documents, tableNames }: TestDatabase) => {
  const log = createEventLog(documents, tableNames.events, { now });
  const events = createEventRepository(documents, tableNames.events);
  return {
    carts: createCartRepository(documents, tableNames.carts, now),
    paymentRecords: createPaymentRecordRepository(documents, tableNames.carts, { log, now }),
    abandonments: createAbandonmentRepository(tableNames.carts, log),
    eventsOf: async (storeId: string) =>
      eventsAmong((await events.first({ storeId, mode: 'live' }, 100)).entries),
  };
};

/** A cart of a store of its own. */
const givenCart = async (database: TestDatabase) => {
  const cart = waitingCart({ storeId: randomUUID() });
  await cartsOf(database).carts.create(cart);
  return cart;
};

/** By what is written. */
export const USES: Readonly<Record<string, Use>> = {
  ...ENDPOINT_USES,
  stores: {
    files: ['lib/operators/operator-store-repository.ts'],
    async run({ documents, tableNames }) {
      const stores = createOperatorStoreRepository(documents, tableNames.stores);
      const store = { id: randomUUID(), name: 'Shop', createdAtMs: NOW_MS };
      const results = [
        await stores.putIfMissing(store),
        await stores.putIfMissing({ ...store, name: 'Late' }),
      ];
      return [results, (await stores.put({ ...store, name: 'Other', createdAtMs: 1 })).createdAtMs];
    },
  },
  products: {
    files: ['lib/operators/operator-product-repository.ts'],
    async run({ documents, tableNames }) {
      const operatorProducts = createOperatorProductRepository(documents, tableNames.products);
      const product = fixedProduct({ id: randomUUID() });
      return [
        await operatorProducts.put(product),
        await operatorProducts.setAvailable(product.id, false),
        await operatorProducts.put({ ...product, storeId: 'other' }),
      ];
    },
  },
  'keys and their limits': {
    files: ['lib/operators/api-key-repository.ts', 'lib/api-keys/key-items.ts'],
    async run({ documents, tableNames }) {
      const keys = createApiKeyRepository(documents, tableNames.apiKeys);
      const buckets = createStoredBucket(documents, tableNames.apiKeys);
      const issue = (limit: number) =>
        keys.issue({
          keyText: generateApiKey('test'),
          storeId: 's',
          mode: 'test',
          limit,
          windowSeconds: 60,
          nowMs: NOW_MS,
        });
      const only = await buckets.take({ keyId: (await issue(1)).keyId, now });
      const { keyId } = await issue(3);
      const takes: string[] = [only.outcome];
      for (let take = 0; take < 4; take += 1) takes.push((await buckets.take({ keyId, now })).outcome);
      const changed = await keys.setLimits(keyId, { limit: 5, windowSeconds: 60 }, NOW_MS);
      const filled = await keys.refill(keyId, NOW_MS);
      const ending = await keys.endAt(keyId, NOW_MS + 1_000, NOW_MS);
      return [takes, changed?.tatMicros, filled?.tatMicros, ending, await keys.revoke(keyId, NOW_MS)];
    },
  },
  'carts and their payments': {
    files: [
      'lib/carts/cart-repository.ts',
      'lib/payments/payment-record-repository.ts',
      'lib/events/event-log.ts',
    ],
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
        const { outcome, refundCount } = await recordPaymentEvent(
          { cartId: cart.id, mode: 'live', ...event } as never,
          repositories,
        );
        recorded.push(outcome, refundCount);
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
      const { outcome } = await expireNow(cart, { ...repositories, now }, AbortSignal.timeout(4_000));
      return [outcome, (await repositories.eventsOf(cart.storeId)).length];
    },
  },
  erasure: {
    files: [
      'lib/erasures/erase-carts.ts',
      'lib/operators/erasures/erasure-ledger.ts',
      'lib/operators/erasures/erase-events.ts',
    ],
    async run(database) {
      const { documents, tableNames } = database;
      const cart = await givenCart(database);
      const repositories = cartsOf(database);
      await recordPaymentEvent({ cartId: cart.id, mode: 'live', payment: payment() } as never, repositories);
      const paid = (await repositories.carts.find(cart.id)) ?? cart;
      const ledger = createErasureLedger(documents, tableNames.erasures);
      const found = [{ tableName: tableNames.carts, cart: paid }];
      const events = await repositories.eventsOf(cart.storeId);
      return [
        await recordAndEraseCarts(documents, ledger, found, now),
        await eraseEvents(documents, tableNames.events, events),
      ];
    },
  },
  'reports by hand': {
    files: ['lib/operators/manual-report-repository.ts'],
    async run({ documents, tableNames }) {
      const reports = createManualReportRepository(documents, tableNames.carts);
      const cart = waitingCart();
      const first = payment();
      return [
        await reports.add(cart, [], first),
        await reports.add(cart, [first], payment()),
        await reports.add(cart, [first], payment()),
      ];
    },
  },
  'secrets of the stage': {
    files: ['lib/idempotency/idempotency-secret.ts', 'lib/canary/canary-key-repository.ts'],
    async run({ documents, tableNames }) {
      const TableName = tableNames.secrets;
      await documents.send(new DeleteCommand({ TableName, Key: { id: IDEMPOTENCY_SECRET_IDS.carts } }));
      const read = async () =>
        Buffer.from(await readOrCreateIdempotencySecret(documents, TableName, IDEMPOTENCY_SECRET_IDS.carts));
      const isSame = (await read()).equals(await read());
      const canary = createCanaryKeyRepository(documents, TableName);
      await canary.replace('key');
      return [isSame, await canary.find()];
    },
  },
  'actions of a cart': {
    files: ['lib/carts/action-buckets.ts'],
    async run({ documents, tableNames }) {
      const buckets = createActionBuckets(documents, tableNames.testCarts, { limit: 3, windowSeconds: 60 });
      const cartId = randomUUID();
      const outcomes: unknown[] = [];
      for (const kind of ['idle', 'busy', 'busy', 'busy'] as const)
        outcomes.push(await buckets.tryToTake(kind, cartId, NOW_MS, undefined));
      return outcomes;
    },
  },
};
