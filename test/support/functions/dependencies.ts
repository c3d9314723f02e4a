import { randomUUID } from 'node:crypto';
import { createActionLimiter } from '../../../functions/sandbox-checkout/action-limiter.ts';
import { createStoredAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { createCartRepositories } from '../../../lib/carts/cart-repository.ts';
import { createAbandonmentRepository } from '../../../lib/carts/expiry/abandonment-repository.ts';
import { memo } from '../../../lib/core/memo.ts';
import type { DeliveryQueue } from '../../../lib/deliveries/queue/delivery-queue.ts';
import type { QueueMessage } from '../../../lib/deliveries/queue/queue-message.ts';
import { createDeliveryRepository } from '../../../lib/deliveries/records/delivery-repository.ts';
import { createDnsCheckLock } from '../../../lib/endpoints/address/dns-check-lock.ts';
import { createHostCheck } from '../../../lib/endpoints/address/host-check.ts';
import type { ResolveHost } from '../../../lib/endpoints/address/resolve-host.ts';
import { createEndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { createSendIntervals } from '../../../lib/endpoints/send-intervals.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import {
  IDEMPOTENCY_SECRET_IDS,
  readOrCreateIdempotencySecret,
} from '../../../lib/idempotency/idempotency-secret.ts';
import { createOperatorStoreRepository } from '../../../lib/operators/operator-store-repository.ts';
import { createPaymentRecordRepository } from '../../../lib/payments/payment-record-repository.ts';
import { createProductRepository } from '../../../lib/products/product-repository.ts';
import { manualClock } from '../clock.ts';
import { type TestTables } from '../database/database.ts';
import { eventLogOf } from '../domain/event-logs.ts';

export const CHECKOUT_URLS = {
  live: 'https://pay.example.com/checkout',
  test: 'http://localhost/sandbox/checkout',
};
/** Carts expire after a day, and are deleted 30 days later. */
export const DAY_LIFETIME = { expirySeconds: 24 * 3_600, retentionSeconds: 30 * 86_400 };
export const STORE_ID = 'store-1';

/** The address of the API itself. */
export const PUBLIC_URL = 'https://api.shop.example/prod';

/** Resolves a name that begins with `private.` to the address of the cloud's metadata, and one with `unknown.` to none. */
const resolveTestHost: ResolveHost = async (host) => {
  if (host.startsWith('unknown.')) throw new Error('The host has no address');
  return host.startsWith('private.') ? ['93.184.216.34', '169.254.169.254'] : ['93.184.216.34'];
};

/** Everything that a function of the service depends on, with a clock that tests advance. */
export const createDependencies = (database: TestTables, time = manualClock()) => {
  const { documents, tableNames } = database;
  const log = eventLogOf(database, time.now);
  const queued: QueueMessage[] = [];
  const queue: DeliveryQueue = { send: async (messages) => void queued.push(...messages) };
  const dns = { resolve: resolveTestHost };
  return {
    /** The time of the test. */
    time,
    now: time.now,
    newId: randomUUID,
    authenticator: createStoredAuthenticator(documents, tableNames.apiKeys),
    products: createProductRepository(documents, tableNames.products),
    carts: createCartRepositories(
      documents,
      { cartsTable: tableNames.carts, testCartsTable: tableNames.testCarts },
      time.now,
    ),
    idempotencySecret: memo(() =>
      readOrCreateIdempotencySecret(documents, tableNames.secrets, IDEMPOTENCY_SECRET_IDS.carts),
    ),
    endpointSecret: memo(() =>
      readOrCreateIdempotencySecret(documents, tableNames.secrets, IDEMPOTENCY_SECRET_IDS.endpoints),
    ),
    stores: createOperatorStoreRepository(documents, tableNames.stores),
    testPayments: createPaymentRecordRepository(documents, tableNames.testCarts, {
      log,
      now: time.now,
    }),
    abandonments: {
      live: createAbandonmentRepository(tableNames.carts, log),
      test: createAbandonmentRepository(tableNames.testCarts, log),
    },
    actionLimiter: createActionLimiter(documents, tableNames.testCarts),
    events: createEventRepository(documents, tableNames.events),
    endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
    sendIntervals: createSendIntervals(documents, tableNames.webhookEndpoints),
    endpointChanges: createEndpointChanges(documents, tableNames, { log, now: time.now }),
    deliveries: createDeliveryRepository(documents, tableNames.deliveries, time.now),
    queued,
    queue,
    /** The DNS, which a test may replace. */
    dns,
    checkHost: createHostCheck(createDnsCheckLock(documents, tableNames.apiKeys), (host) =>
      dns.resolve(host),
    ),
    urlOptions: { publicUrl: PUBLIC_URL },
    lifetime: DAY_LIFETIME,
    checkoutUrls: CHECKOUT_URLS,
    stageName: 'test',
  };
};

export type Dependencies = ReturnType<typeof createDependencies>;
