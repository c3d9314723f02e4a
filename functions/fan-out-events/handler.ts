import {
  createAuditClient,
  createBusClient,
  createDocumentClient,
  createQueueClient,
} from '../../lib/aws/clients.ts';
import { createEndpointSink } from '../../lib/deliveries/queue/endpoint-sink.ts';
import { queueUrlsOf } from '../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../lib/deliveries/queue/sqs-delivery-queue.ts';
import { createAuditSink } from '../../lib/endpoints/audit-sink.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { createBusSink } from '../../lib/events/bus-sink.ts';
import { createEventBus } from '../../lib/events/bus.ts';
import { createSaveDeadLetter } from '../../lib/events/event-dead-letters.ts';
import { fanOutRecords, type FanOutRecordsDependencies } from '../../lib/events/fan-out-records.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { rememberStoreNames } from '../../lib/stores/store-name.ts';
import { createStoreRepository } from '../../lib/stores/store-repository.ts';
import { settingNamesOf } from '../function-needs.ts';

const createDependencies = (): FanOutRecordsDependencies => {
  const settings = readSettings(settingNamesOf('fan-out-events'));
  const { now } = Date;
  const documents = createDocumentClient();
  const stores = createStoreRepository(documents, settings.storesTable);
  const endpoints = createEndpointRepository(documents, settings.webhookEndpointsTable);
  const queueClient = createQueueClient();
  const queueUrls = queueUrlsOf(settings);
  const queue = createSqsDeliveryQueue(queueClient, queueUrls);
  const bus = createBusSink(
    createEventBus(createBusClient(), settings.eventBusName),
    rememberStoreNames(stores, now),
  );
  const audit = createAuditSink(createAuditClient(), settings.auditLogGroup);
  return {
    createSinks: () => [bus, audit, createEndpointSink(queue, (log) => endpoints.listOf(log))],
    saveDeadLetter: createSaveDeadLetter(queueClient, settings.eventDeadLetterQueueUrl),
    now,
  };
};

/** Sends recorded events to the platform's bus, the audit log and webhooks, from the stream of their table. */
export const handler = fanOutRecords(createDependencies());
