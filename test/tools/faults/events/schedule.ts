import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { startEmbeddedDynamodb } from '../../../../infra/local/embedded-dynamodb.ts';
import {
  createTables,
  LOCAL_TABLE_NAMES,
  localClientConfig,
} from '../../../../infra/local/local-database.ts';
import type { Clock } from '../../../../lib/core/clock.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import type { Documents } from '../../../../lib/core/documents.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import type { LoggedEvent, LogId } from '../../../../lib/events/store-event.ts';
import { deliverBatch } from '../../../../lib/webhooks/deliver-batch.ts';
import { createDeliveryService } from '../../../../lib/webhooks/delivery-service.ts';
import { createDeliveryStore } from '../../../../lib/webhooks/delivery-store.ts';
import { deliveryMessageOf } from '../../../../lib/webhooks/delivery.ts';
import type { Send } from '../../../../lib/webhooks/deliver.ts';
import type { EndpointRef } from '../../../../lib/webhooks/endpoint.ts';
import { createEndpointTimers } from '../../../../lib/webhooks/endpoint-timers.ts';
import { createProbeWork } from '../../../../lib/webhooks/probe-work.ts';
import { createRetryWork, createWaitingDeliveries } from '../../../../lib/webhooks/waiting-deliveries.ts';
import { runTimers } from '../../../../lib/timers/run-timers.ts';
import { busyDelaySeconds } from '../../../../lib/webhooks/schedule.ts';
import type { Random } from '../load/random.ts';
import { createSimulatedQueue, type SimulatedQueue } from './simulated-queue.ts';
import { createEndpoint, readWorkTimes } from './stored.ts';

const START_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
const MINUTE_MS = 60_000;

/** A receiver: the status of its response to an event at a time. */
export type Receive = (endpointId: string, eventId: string, nowMs: number) => number;

export interface SimulatedAttempt {
  readonly endpointId: string;
  readonly atMs: number;
  readonly status: number;
}

interface Parts {
  readonly documents: Documents;
  readonly queue: SimulatedQueue;
  readonly random: Random;
  readonly send: Send;
  readonly now: Clock;
}

const tables = {
  storesTable: LOCAL_TABLE_NAMES.stores,
  webhookEndpointsTable: LOCAL_TABLE_NAMES.webhookEndpoints,
  secretsTable: LOCAL_TABLE_NAMES.secrets,
  deliveriesTable: LOCAL_TABLE_NAMES.deliveries,
  eventsTable: LOCAL_TABLE_NAMES.events,
};

/** The work of the functions `deliver-webhooks` and `run-due`. */
const createFunctions = ({ documents, queue, random, send, now }: Parts) => {
  const bus = { put: async () => undefined };
  const service = createDeliveryService(documents, tables, { queue, bus, send, now });
  const dependencies = { ...service, random: random.next, report: () => undefined };
  const deliveries = createWaitingDeliveries(documents, tables.deliveriesTable, { queue, now });
  const probes = {
    endpointTimers: createEndpointTimers(documents, tables.webhookEndpointsTable),
    deliveries,
    now,
  };
  const works = [createProbeWork(probes), createRetryWork(deliveries)];
  return {
    /** Delivers the visible messages, and those that become visible meanwhile. */
    deliverVisible: async (): Promise<void> => {
      for (let taken = queue.take(); taken.length > 0; taken = queue.take()) {
        const results = await deliverBatch(
          taken.map(({ message }) => message),
          dependencies,
        );
        for (const [index, queued] of taken.entries()) {
          const result = results[index]!;
          if (result.outcome === 'failed') throw result.error;
          if (result.outcome === 'done') continue;
          queue.putBack(queued, busyDelaySeconds(queued.receiveCount + 1, random.next()));
        }
      }
    },
    runDue: async (): Promise<void> => {
      const { signal } = new AbortController();
      for (const work of works) {
        const { unread, failed, isComplete } = await runTimers(work, now, signal);
        if (unread) throw unread;
        if (failed > 0 || !isComplete) throw new Error(`A run of ${work.name} is not complete`);
      }
    },
  };
};

const newEvent = ({ storeId, mode }: LogId, sequence: number, recordedAtMs: number): LoggedEvent => {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({ id });
  return { storeId, mode, sequence, id, type: 'cart.completed', cartId: 'cart', recordedAtMs, body };
};

/**
 * The delivery of webhooks with the clock of a simulation. The queue and the receivers are simulated too, and the tables are
 * real. `run-due` starts each minute, as in the cloud.
 */
const createSimulation = (documents: Documents, random: Random, receive: Receive) => {
  let nowMs = START_MS;
  const now = (): number => nowMs;
  const queue = createSimulatedQueue(now);
  const attempts: SimulatedAttempt[] = [];
  let sent = 0;
  const send: Send = async ({ url, headers }) => {
    const endpointId = new URL(url).pathname.slice(1);
    const status = receive(endpointId, headers['webhook-id']!, nowMs);
    attempts.push({ endpointId, atMs: nowMs, status });
    return { status, ms: 0 };
  };
  const functions = createFunctions({ documents, queue, random, send, now });

  /** The next start of `run-due` that has something to do. */
  const nextRunMs = async (): Promise<number> => {
    const [firstMs = Infinity] = await readWorkTimes(documents);
    return firstMs === Infinity
      ? Infinity
      : Math.floor(Math.max(firstMs, nowMs) / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  };
  return {
    attempts: attempts as readonly SimulatedAttempt[],
    now,
    /** Sends a new event to an endpoint. Returns its id. */
    send: async ({ storeId, mode, endpointId }: EndpointRef): Promise<string> => {
      const event = newEvent({ storeId, mode }, sent + 1, nowMs);
      sent += 1;
      const Item = toEventItem({ ...event, startsRun: false });
      await documents.send(new PutCommand({ TableName: tables.eventsTable, Item }));
      await queue.send([deliveryMessageOf({ storeId, mode, endpointId }, event)]);
      return event.id;
    },
    /** Lets time pass until nothing is left to do, but no longer than until this time. */
    runUntil: async (endMs: number): Promise<void> => {
      for (;;) {
        await functions.deliverVisible();
        const runMs = await nextRunMs();
        const nextMs = Math.min(queue.nextMs(), runMs);
        if (nextMs > endMs) return;
        nowMs = Math.max(nowMs, nextMs);
        if (runMs <= nowMs) await functions.runDue();
      }
    },
  };
};

/** Starts a simulation on a database in memory. */
export const startSimulation = async (cleanUp: AsyncDisposableStack, random: Random, receive: Receive) => {
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  cleanUp.defer(() => database.close());
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  cleanUp.defer(() => documents.destroy());
  await createTables(documents);
  const simulation = createSimulation(documents, random, receive);
  return {
    ...simulation,
    deliveries: createDeliveryStore(documents, LOCAL_TABLE_NAMES.deliveries, simulation.now),
    /** The timers and parked deliveries that are left. */
    workLeft: async (): Promise<number> => (await readWorkTimes(documents)).length,
    givenEndpoint: (storeId: string) =>
      createEndpoint(documents, { storeId, mode: 'test' }, (id) => `http://127.0.0.1/${id}`),
  };
};
