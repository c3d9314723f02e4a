import { setTimeout } from 'node:timers/promises';
import { readEnv } from '../../lib/core/env.ts';
import { createBusClient, createEventBus } from '../../lib/events/bus.ts';
import { fanOutRecords, type FanOutRecordsDependencies } from '../../lib/events/fan-out-records.ts';
import { createSetAside } from '../../lib/events/set-aside.ts';
import { createFunctionClient } from '../../lib/init/function-client.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import { remember } from '../../lib/core/remember.ts';
import { createStoreDirectory } from '../../lib/stores/store-directory.ts';
import { findStoreName } from '../../lib/stores/store-name.ts';
import { createEndpointStore } from '../../lib/webhooks/endpoint-store.ts';
import { createQueueClient, createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';

/** A new name of a store appears in events after at most a minute. */
const NAMES_KEPT_MS = 60_000;

const dependencies = (): FanOutRecordsDependencies => {
  const env = readEnv(
    ['storesTable', 'webhookEndpointsTable', 'eventBusName', 'deliveryQueueUrl', 'setAsideQueueUrl'],
    process.env,
  );
  const { now } = processClock;
  const documents = createFunctionClient();
  const stores = createStoreDirectory(documents, env.storesTable);
  const endpoints = createEndpointStore(documents, env.webhookEndpointsTable);
  const queueClient = createQueueClient();
  const pauses = { sleep: setTimeout, random: Math.random };
  return {
    bus: createEventBus(createBusClient(), env.eventBusName, pauses),
    deliveries: createSqsDeliveryQueue(queueClient, env.deliveryQueueUrl, pauses),
    setAside: createSetAside(queueClient, env.setAsideQueueUrl),
    endpointsOf: (log) => endpoints.listOf(log),
    storeNameOf: remember(
      (id: string) => id,
      (id) => findStoreName(stores, id),
      { ms: NAMES_KEPT_MS, now },
    ),
    now,
  };
};

/** Sends recorded events to the platform's bus and to webhooks, from the stream of their table. */
export const handler = fanOutRecords(dependencies());
