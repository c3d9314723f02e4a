import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../../lib/clock.ts';
import type { DueStore } from '../../../lib/due/due-store.ts';
import type { RunDueDependencies } from '../../../lib/due/run-due.ts';
import type { EventBus } from '../../../lib/events/bus.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { type BatchDependencies, deliverBatch } from '../../../lib/webhooks/deliver-batch.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import type { DeliveryReport, ReportDisabled } from '../../../lib/webhooks/deliver.ts';
import type { DeliveryQueue } from '../../../lib/webhooks/delivery.ts';
import { type DueDeliveryDependencies, handleDueDelivery } from '../../../lib/webhooks/due-deliveries.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { createLeases } from '../../../lib/webhooks/leases.ts';
import { createParkedDeliveries } from '../../../lib/webhooks/parked-deliveries.ts';
import { createSecretStore, rememberSecrets } from '../../../lib/webhooks/secret-store.ts';
import { createSender } from '../../../lib/webhooks/send.ts';
import type { TableKind } from '../../tables.ts';
import type { Deliver } from './deliverers.ts';

export interface DeliveryOptions {
  readonly documents: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  readonly queue: DeliveryQueue;
  readonly due: DueStore;
  readonly bus: EventBus;
  readonly report: (report: DeliveryReport) => void;
  readonly now: Clock;
}

/** The code of the functions that deliver webhooks, on the stage's database. */
export interface Delivery {
  readonly deliver: Deliver;
  readonly handleDue: RunDueDependencies['handleDelivery'];
}

const disabledOn =
  (bus: EventBus): ReportDisabled =>
  ({ storeId, mode, endpointId }, { reason }) =>
    bus.put([{ type: 'webhook.disabled', detail: { store: { id: storeId }, mode, endpointId, reason } }]);

/** Makes the deliveries of the local stage. They may also go to `http` addresses of this machine. */
export const createDelivery = (options: DeliveryOptions): Delivery => {
  const { documents, tableNames, bus, now, ...shared } = options;
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const parked = createParkedDeliveries(documents, tableNames.due);
  const secrets = createSecretStore(documents, tableNames.webhookSecrets, now);
  const events = createEventStore(documents, tableNames.events);
  const deliverDependencies: BatchDependencies = {
    ...shared,
    endpoints,
    parked,
    findSecret: rememberSecrets((endpointId) => secrets.find(endpointId), now),
    leases: createLeases(documents, tableNames.webhookEndpoints, now),
    deliveries: createDeliveryStore(documents, tableNames.deliveries),
    send: createSender({ allowsLoopback: true }),
    reportDisabled: disabledOn(bus),
    now,
    random: Math.random,
  };
  const dueDependencies: DueDeliveryDependencies = {
    ...shared,
    endpoints,
    parked,
    now,
    findEvent: async (log, sequence) => {
      const [event] = (await events.after(log, sequence - 1, 1)).events;
      return event?.sequence === sequence ? event : undefined;
    },
  };
  return {
    async deliver(message) {
      const [result] = await deliverBatch([message], deliverDependencies);
      if (result?.outcome === 'failed') throw result.error;
      return result?.outcome ?? 'busy';
    },
    handleDue: (entry) => handleDueDelivery(entry, dueDependencies),
  };
};
