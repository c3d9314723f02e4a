import type { Documents } from '../core/documents.ts';
import { HOUR_MS } from '../core/durations.ts';
import { memo } from '../core/memo.ts';
import type { EventBus } from '../events/bus.ts';
import { createEventRepository } from '../events/event-repository.ts';
import { createStoreRepository } from '../stores/store-repository.ts';
import { findStoreName } from '../stores/store-name.ts';
import type { DeliverDependencies, SecretRef } from './deliver.ts';
import { createDeliveryRepository } from './delivery-repository.ts';
import { createEndpointTimers } from './endpoint-timers.ts';
import { createLeases } from './leases.ts';
import { createParkedDeliveries } from './parked-deliveries.ts';
import { createReportDisabled, reportDelivery } from './reports.ts';
import { createSecretRepository } from '../endpoints/secret-repository.ts';

type Table = 'storesTable' | 'webhookEndpointsTable' | 'secretsTable' | 'deliveriesTable' | 'eventsTable';

/**
 * Everything that `deliverBatch` needs, on the tables of a stage.
 *
 * @param parts `now` is the machine's clock: processes compare the times of leases
 */
export const createDeliveryService = (
  documents: Documents,
  tables: Readonly<Record<Table, string>>,
  { bus, ...parts }: Pick<DeliverDependencies, 'queue' | 'send' | 'now'> & { readonly bus: EventBus },
): DeliverDependencies => {
  const { now } = parts;
  const stores = createStoreRepository(documents, tables.storesTable);
  const events = createEventRepository(documents, tables.eventsTable);
  const { webhookEndpointsTable: webhookEndpoints } = tables;
  const secrets = createSecretRepository(documents, tables.secretsTable);
  return {
    findSecret: memo(({ endpointId }: SecretRef) => secrets.find(endpointId), {
      keyOf: ({ endpointId, secretVersion = '' }) => `${endpointId} ${secretVersion}`,
      // Each rotation leaves the secret before it in the memory.
      forget: { everyMs: HOUR_MS, now },
    }),
    leases: createLeases(documents, webhookEndpoints, now),
    deliveries: createDeliveryRepository(documents, tables.deliveriesTable, now),
    parkedDeliveries: createParkedDeliveries(documents, tables.deliveriesTable, now),
    endpointTimers: createEndpointTimers(documents, webhookEndpoints),
    findEvent: (log, sequence) => events.find(log, sequence, now()),
    reportDisabled: createReportDisabled(bus, (storeId) => findStoreName(stores, storeId)),
    report: reportDelivery,
    random: Math.random,
    ...parts,
  };
};
