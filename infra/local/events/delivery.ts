import type { Documents } from '../../../lib/core/documents.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { DueStore } from '../../../lib/due/due-store.ts';
import type { RunDueDependencies } from '../../../lib/due/run-due.ts';
import type { EventBus } from '../../../lib/events/bus.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { deliverBatch } from '../../../lib/webhooks/deliver-batch.ts';
import { createDeliveryService } from '../../../lib/webhooks/delivery-service.ts';
import type { DeliveryQueue } from '../../../lib/webhooks/delivery.ts';
import { type DueDeliveryDependencies, handleDueDelivery } from '../../../lib/webhooks/due-deliveries.ts';
import { createParkedDeliveries } from '../../../lib/webhooks/parked-deliveries.ts';
import { createSender } from '../../../lib/webhooks/send.ts';
import type { TableKind } from '../../tables.ts';
import type { Deliver } from './deliverers.ts';

export interface DeliveryOptions {
  readonly documents: Documents;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  readonly queue: DeliveryQueue;
  readonly due: DueStore;
  readonly bus: EventBus;
  readonly now: Clock;
}

/** The code of the functions that deliver webhooks, on the stage's database. */
export interface Delivery {
  readonly deliver: Deliver;
  readonly handleDue: RunDueDependencies['handleDelivery'];
}

/** Creates the deliveries of the local stage. They may also go to `http` addresses of this machine. */
export const createDelivery = (options: DeliveryOptions): Delivery => {
  const { documents, tableNames, queue, due, now } = options;
  const tables = {
    storesTable: tableNames.stores,
    webhookEndpointsTable: tableNames.webhookEndpoints,
    webhookSecretsTable: tableNames.webhookSecrets,
    deliveriesTable: tableNames.deliveries,
    dueTable: tableNames.due,
  };
  const send = createSender({ allowsLoopback: true });
  const service = createDeliveryService(documents, tables, { ...options, send });
  const events = createEventStore(documents, tableNames.events);
  const dueDependencies: DueDeliveryDependencies = {
    endpoints: service.endpoints,
    parked: createParkedDeliveries(documents, tableNames.due),
    queue,
    due,
    now,
    findEvent: (log, sequence) => events.find(log, sequence, now()),
  };
  return {
    async deliver(message) {
      const [result] = await deliverBatch([message], service);
      if (result?.outcome === 'failed') throw result.error;
      if (result?.outcome !== 'done') return 'busy';
      return result.isSent ? 'sent' : 'unsent';
    },
    handleDue: (entry) => handleDueDelivery(entry, dueDependencies),
  };
};
