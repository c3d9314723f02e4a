import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { createEndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import { createApiKeyRepository } from '../../../lib/operators/api-key-repository.ts';
import { createClaimRepository } from '../../../lib/operators/claim-repository.ts';
import { createErasureLedger } from '../../../lib/operators/erasures/erasure-ledger.ts';
import { createManualReportRepository } from '../../../lib/operators/manual-report-repository.ts';
import { createOperatorDeliveryRepository } from '../../../lib/operators/operator-delivery-repository.ts';
import { createOperatorEndpointRepository } from '../../../lib/operators/operator-endpoint-repository.ts';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import { createOperatorStoreRepository } from '../../../lib/operators/operator-store-repository.ts';
import { createProductImport } from '../../../lib/operators/product-import.ts';
import type { Stage } from './stage.ts';

/** The repositories on the tables of a stage. */
export const repositoriesOf = (
  { documents, tableNames }: Pick<Stage, 'documents' | 'tableNames'>,
  now: Clock,
) => {
  const paymentsIn = (table: string) => ({
    carts: createCartRepository(documents, table, now),
    claims: createClaimRepository(documents, table),
  });
  const payments = { live: paymentsIn(tableNames.carts), test: paymentsIn(tableNames.testCarts) };
  return {
    apiKeys: createApiKeyRepository(documents, tableNames.apiKeys),
    products: createOperatorProductRepository(documents, tableNames.products),
    productImport: createProductImport(documents, tableNames.products),
    stores: createOperatorStoreRepository(documents, tableNames.stores),
    payments,
    reports: {
      live: createManualReportRepository(documents, tableNames.carts),
      test: createManualReportRepository(documents, tableNames.testCarts),
    },
    events: createEventRepository(documents, tableNames.events),
    endpoints: createOperatorEndpointRepository(documents, tableNames.webhookEndpoints),
    endpointChanges: createEndpointChanges(documents, tableNames, {
      log: createEventLog(documents, tableNames.events, { now }),
      now,
    }),
    deliveries: createOperatorDeliveryRepository(documents, tableNames.deliveries, now),
    erasures: createErasureLedger(documents, tableNames.erasures),
    /** Finds a cart of either mode. */
    findCart: async (cartId: string) =>
      (await payments.live.carts.find(cartId)) ?? payments.test.carts.find(cartId),
  };
};

export type Repositories = ReturnType<typeof repositoriesOf>;
