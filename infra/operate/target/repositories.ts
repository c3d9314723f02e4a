import type { Clock } from '../../../lib/core/clock.ts';
import { createDeliveryRepository } from '../../../lib/deliveries/records/delivery-repository.ts';
import { createEndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { createErasureLedger } from '../../../lib/erasures/erasure-ledger.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import { createApiKeyRepository } from '../../../lib/operators/api-key-repository.ts';
import { createManualReportRepository } from '../../../lib/operators/manual-report-repository.ts';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import { createProductImport } from '../../../lib/operators/product-import.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-record-repository.ts';
import { createStoreRepository } from '../../../lib/stores/store-repository.ts';
import { paymentTablesOf } from '../../stage/tables.ts';
import type { Stage } from './stage.ts';

/** The repositories on the tables of a stage. */
export const repositoriesOf = (
  { documents, tableNames }: Pick<Stage, 'documents' | 'tableNames'>,
  now: Clock,
) => {
  const payments = createPaymentRepositories(documents, paymentTablesOf(tableNames), { now });
  return {
    apiKeys: createApiKeyRepository(documents, tableNames.apiKeys),
    products: createOperatorProductRepository(documents, tableNames.products),
    productImport: createProductImport(documents, tableNames.products),
    stores: createStoreRepository(documents, tableNames.stores),
    payments,
    reports: {
      live: createManualReportRepository(documents, tableNames.carts),
      test: createManualReportRepository(documents, tableNames.testCarts),
    },
    events: createEventRepository(documents, tableNames.events),
    endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
    endpointChanges: createEndpointChanges(documents, tableNames, {
      log: createEventLog(documents, tableNames.events, { now }),
      now,
    }),
    deliveries: createDeliveryRepository(documents, tableNames.deliveries, now),
    erasures: createErasureLedger(documents, tableNames.erasures),
    /** Finds a cart of either mode. */
    findCart: async (cartId: string) =>
      (await payments.live.carts.find(cartId)) ?? payments.test.carts.find(cartId),
  };
};

export type Repositories = ReturnType<typeof repositoriesOf>;
