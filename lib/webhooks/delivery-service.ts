import type { Documents } from '../core/documents.ts';
import type { Clock } from '../core/clock.ts';
import { memo } from '../core/memo.ts';
import type { EventBus } from '../events/bus.ts';
import { createEventStore } from '../events/event-store.ts';
import { createStoreDirectory } from '../stores/store-directory.ts';
import { findStoreName } from '../stores/store-name.ts';
import type { BatchDependencies } from './deliver-batch.ts';
import type { SecretRef, Send } from './deliver.ts';
import { createDeliveryStore } from './delivery-store.ts';
import type { DeliveryQueue } from './delivery.ts';
import { createEndpointTimers } from './endpoint-timers.ts';
import { createLeases } from './leases.ts';
import { createReportDisabled, reportDelivery } from './report-delivery.ts';
import { createSecretStore } from './secret-store.ts';

/** The tables of deliveries, as `readEnv` returns them. */
export interface DeliveryTables {
  readonly storesTable: string;
  readonly webhookEndpointsTable: string;
  readonly secretsTable: string;
  readonly deliveriesTable: string;
  readonly eventsTable: string;
}

export interface DeliveryParts {
  readonly queue: DeliveryQueue;
  readonly bus: EventBus;
  readonly send: Send;
  /** A clock that DynamoDB corrects, because processes compare the times of leases. */
  readonly now: Clock;
}

/** Everything that `deliverBatch` needs, on the tables of a stage. */
export const createDeliveryService = (
  documents: Documents,
  tables: DeliveryTables,
  { queue, bus, send, now }: DeliveryParts,
): BatchDependencies => {
  const stores = createStoreDirectory(documents, tables.storesTable);
  const events = createEventStore(documents, tables.eventsTable);
  const { webhookEndpointsTable: webhookEndpoints } = tables;
  const secrets = createSecretStore(documents, tables.secretsTable);
  return {
    findSecret: memo(({ endpointId }: SecretRef) => secrets.find(endpointId), {
      keyOf: ({ endpointId, secretVersion = '' }) => `${endpointId} ${secretVersion}`,
    }),
    leases: createLeases(documents, webhookEndpoints, now),
    deliveries: createDeliveryStore(documents, tables.deliveriesTable, now),
    endpointTimers: createEndpointTimers(documents, webhookEndpoints),
    findEvent: (log, sequence) => events.find(log, sequence, now()),
    queue,
    send,
    reportDisabled: createReportDisabled(bus, (storeId) => findStoreName(stores, storeId)),
    report: reportDelivery,
    now,
    random: Math.random,
  };
};
