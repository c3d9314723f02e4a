import { createApiKeyStore } from '../../lib/operators/api-key-store.ts';
import { createErasureLedger } from '../../lib/erasures/erasure-ledger.ts';
import { createPaymentStores } from '../../lib/payments/payment-stores.ts';
import { createReportStore } from '../../lib/payments/report-store.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createEventStore } from '../../lib/events/event-store.ts';
import { createProductCatalogue } from '../../lib/operators/product-catalogue.ts';
import { createProductImport } from '../../lib/operators/product-import.ts';
import { createStoreDirectory } from '../../lib/stores/store-directory.ts';
import { createDeliveryStore } from '../../lib/deliveries/delivery-store.ts';
import { createEndpointRegistry } from '../../lib/endpoints/endpoint-registry.ts';
import { createEndpointStore } from '../../lib/endpoints/endpoint-store.ts';
import { paymentTablesOf } from '../stage/payment-tables.ts';
import type { Stage } from './stage.ts';

/** The stores on the tables of a stage. */
export const storesOf = ({ documents, tableNames }: Pick<Stage, 'documents' | 'tableNames'>, now: Clock) => {
  const payments = createPaymentStores(documents, paymentTablesOf(tableNames), { now });
  return {
    apiKeys: createApiKeyStore(documents, tableNames.apiKeys),
    products: createProductCatalogue(documents, tableNames.products),
    productImport: createProductImport(documents, tableNames.products),
    stores: createStoreDirectory(documents, tableNames.stores),
    payments,
    reports: {
      live: createReportStore(documents, tableNames.carts),
      test: createReportStore(documents, tableNames.testCarts),
    },
    events: createEventStore(documents, tableNames.events),
    endpoints: createEndpointStore(documents, tableNames.webhookEndpoints),
    registry: createEndpointRegistry(documents, tableNames, {
      log: createEventLog(documents, tableNames.events, { now }),
      now,
    }),
    deliveries: createDeliveryStore(documents, tableNames.deliveries, now),
    erasures: createErasureLedger(documents, tableNames.erasures),
    /** Finds a cart of either mode. */
    findCart: async (cartId: string) =>
      (await payments.live.carts.find(cartId)) ?? payments.test.carts.find(cartId),
  };
};

export type Stores = ReturnType<typeof storesOf>;
