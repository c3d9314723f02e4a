import type { Clock } from '../core/clock.ts';
import { HOUR_MS } from '../core/durations.ts';
import { memo } from '../core/memo.ts';
import type { DocumentClient } from '../database/documents.ts';
import type { EndpointWithState } from '../endpoints/endpoint.ts';
import { createSecretRepository, type StoredSecret } from '../endpoints/secret-repository.ts';
import { createEventLog } from '../events/event-log.ts';
import { createEventRepository } from '../events/event-repository.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import type { StoreMode } from '../stores/mode.ts';
import { createLeases, type Leases } from './leases/leases.ts';
import { createEndpointTimers, type EndpointTimers } from './parking/endpoint-timers.ts';
import { createParkedDeliveries, type ParkedDeliveries } from './parking/parked-deliveries.ts';
import type { DeliveryQueue } from './queue/delivery-queue.ts';
import { createDeliveryRepository, type DeliveryRepository } from './records/delivery-repository.ts';
import { type DeliveryReport, reportDelivery } from './report-delivery.ts';
import { createReportDisabled, type ReportDisabled } from './report-disabled.ts';
import type { Send } from './sending/send.ts';

/** The secret that a lease names. */
type SecretRef = Pick<EndpointWithState, 'endpointId' | 'secretVersion'>;

/** Everything that the delivery of messages needs. */
export interface DeliverDependencies {
  /** Finds the secret of an endpoint. It may remember it for this `secretVersion`. */
  readonly findSecret: (endpoint: SecretRef) => Promise<StoredSecret | undefined>;
  /** Reads an event of a log by its number. `undefined` if it is no longer kept. */
  readonly findEvent: (
    storeMode: StoreMode,
    sequence: number,
  ) => Promise<Pick<LoggedEvent, 'id' | 'body'> | undefined>;
  readonly leases: Leases;
  readonly deliveries: Pick<DeliveryRepository, 'record'>;
  readonly parkedDeliveries: ParkedDeliveries;
  readonly endpointTimers: Pick<EndpointTimers, 'notePark'>;
  readonly queue: DeliveryQueue;
  readonly send: Send;
  readonly reportDisabled: ReportDisabled;
  readonly report: (report: DeliveryReport) => void;
  readonly now: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

type Table = 'webhookEndpointsTable' | 'secretsTable' | 'deliveriesTable' | 'eventsTable';

/**
 * The dependencies on the tables of a stage.
 *
 * @param parts `now` is the machine's clock: processes compare the times of leases
 */
export const createDeliverDependencies = (
  documents: DocumentClient,
  tables: Readonly<Record<Table, string>>,
  parts: Pick<DeliverDependencies, 'queue' | 'send' | 'now'>,
): DeliverDependencies => {
  const { now } = parts;
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
    findEvent: (storeMode, sequence) => events.find(storeMode, sequence, now()),
    reportDisabled: createReportDisabled(
      createEventLog(documents, tables.eventsTable, { now }),
      webhookEndpoints,
    ),
    report: reportDelivery,
    random: Math.random,
    ...parts,
  };
};
