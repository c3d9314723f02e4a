import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startEmbeddedDynamodb } from '../../../../infra/local/embedded-dynamodb.ts';
import {
  createTables,
  LOCAL_TABLE_NAMES,
  localClientConfig,
} from '../../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../../lib/dynamodb.ts';
import { createDueStore } from '../../../../lib/due/due-store.ts';
import { minuteOf, MINUTE_MS } from '../../../../lib/due/minutes.ts';
import { runDue } from '../../../../lib/due/run-due.ts';
import type { LoggedEvent } from '../../../../lib/events/store-event.ts';
import { deliverBatch } from '../../../../lib/webhooks/deliver-batch.ts';
import { createDeliveryService } from '../../../../lib/webhooks/delivery-service.ts';
import { createDeliveryStore } from '../../../../lib/webhooks/delivery-store.ts';
import type { AttemptResult, DeliveryMessage, DeliveryQueue } from '../../../../lib/webhooks/delivery.ts';
import { deliveryMessageOf } from '../../../../lib/webhooks/delivery.ts';
import { handleDueDelivery } from '../../../../lib/webhooks/due-deliveries.ts';
import { createEndpointStore } from '../../../../lib/webhooks/endpoint-store.ts';
import type { EndpointRef } from '../../../../lib/webhooks/endpoint.ts';
import { createParkedDeliveries } from '../../../../lib/webhooks/parked-deliveries.ts';
import { busyDelaySeconds } from '../../../../lib/webhooks/schedule.ts';
import type { Random } from '../load/random.ts';
import { createEndpoint, readWorkTimes } from './stored.ts';

const START_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

/** A receiver: the status of its response to an event at a time. */
export type Receive = (endpoint: EndpointRef, eventId: string, nowMs: number) => number;

interface Queued {
  readonly message: DeliveryMessage;
  readonly visibleAtMs: number;
  readonly receiveCount: number;
}

/** A queue in memory, with the delays of SQS. */
const createQueue = (now: () => number) => {
  let queued: Queued[] = [];
  const put = (message: DeliveryMessage, delaySeconds: number, receiveCount: number): void => {
    queued.push({ message, visibleAtMs: now() + 1_000 * delaySeconds, receiveCount });
  };
  const queue: DeliveryQueue = {
    send: async (messages, delaySeconds = 0) => {
      if (delaySeconds < 0 || delaySeconds > 900) throw new Error(`SQS has no delay of ${delaySeconds} s`);
      for (const message of messages) put(message, delaySeconds, 0);
    },
  };
  return {
    queue,
    put,
    nextMs: (): number => Math.min(Infinity, ...queued.map(({ visibleAtMs }) => visibleAtMs)),
    take: (): readonly Queued[] => {
      const visible = queued.filter(({ visibleAtMs }) => visibleAtMs <= now());
      queued = queued.filter(({ visibleAtMs }) => visibleAtMs > now());
      return visible.toSorted((a, b) => a.visibleAtMs - b.visibleAtMs);
    },
  };
};

/**
 * The functions that deliver webhooks, with the clock of a simulation. The queue and the receivers are simulated too, and
 * the tables are real. `run-due` starts each minute, as in the cloud.
 */
const createSimulation = (documents: DynamoDBDocumentClient, random: Random, receive: Receive) => {
  let nowMs = START_MS;
  const now = (): number => nowMs;
  const { queue, put, nextMs, take } = createQueue(now);
  const due = createDueStore(documents, LOCAL_TABLE_NAMES.due, now);
  const tables = {
    storesTable: LOCAL_TABLE_NAMES.stores,
    webhookEndpointsTable: LOCAL_TABLE_NAMES.webhookEndpoints,
    webhookSecretsTable: LOCAL_TABLE_NAMES.webhookSecrets,
    deliveriesTable: LOCAL_TABLE_NAMES.deliveries,
    dueTable: LOCAL_TABLE_NAMES.due,
  };
  const endpointOf = (url: string): string => new URL(url).pathname.slice(1);
  const attempts: { readonly endpointId: string; readonly atMs: number; readonly status: number }[] = [];
  const events = new Map<string, LoggedEvent>();
  const service = createDeliveryService(documents, tables, {
    queue,
    due,
    bus: { put: async () => undefined },
    now,
    send: async ({ url, headers }): Promise<AttemptResult> => {
      const endpointId = endpointOf(url);
      const status = receive({ storeId: '', mode: 'test', endpointId }, String(headers['webhook-id']), nowMs);
      attempts.push({ endpointId, atMs: nowMs, status });
      return { status, ms: 0 };
    },
  });
  const dependencies = { ...service, random: random.next, report: () => undefined };
  const dueDependencies = {
    endpoints: createEndpointStore(documents, LOCAL_TABLE_NAMES.webhookEndpoints),
    parked: createParkedDeliveries(documents, LOCAL_TABLE_NAMES.due),
    findEvent: async ({ storeId }: EndpointRef | { storeId: string }, sequence: number) =>
      events.get(`${storeId} ${sequence}`),
    queue,
    due,
    now,
  };
  const deliverVisible = async (): Promise<void> => {
    for (let messages = take(); messages.length > 0; messages = take()) {
      const results = await deliverBatch(
        messages.map(({ message }) => message),
        dependencies,
      );
      for (const [index, result] of results.entries()) {
        const { message, receiveCount } = messages[index]!;
        if (result.outcome === 'failed') throw result.error;
        if (result.outcome === 'busy')
          put(message, busyDelaySeconds(receiveCount + 1, random.next()), receiveCount + 1);
      }
    }
  };
  const runDueNow = () =>
    runDue({
      due,
      now,
      recordAbandonments: async () => ({ recorded: 0 }),
      handleDelivery: (entry) => handleDueDelivery(entry, dueDependencies),
    });
  /** The next start of `run-due` that has something to do. */
  const nextRunMs = async (): Promise<number> => {
    const [first = Infinity] = (await readWorkTimes(documents)).filter((atMs) => atMs < Infinity);
    return first === Infinity ? Infinity : Math.max(minuteOf(first), minuteOf(nowMs)) + MINUTE_MS;
  };

  return {
    attempts,
    now,
    /** Sends a new event to an endpoint. */
    send: async ({ storeId, mode, endpointId }: EndpointRef): Promise<string> => {
      const id = `evt_${randomUUID().replaceAll('-', '')}`;
      const sequence = events.size + 1;
      const event: LoggedEvent = {
        storeId,
        mode,
        sequence,
        id,
        type: 'cart.completed',
        cartId: 'cart',
        recordedAtMs: nowMs,
        body: JSON.stringify({ id }),
      };
      events.set(`${storeId} ${sequence}`, event);
      await queue.send([deliveryMessageOf({ storeId, mode, endpointId }, event)]);
      return id;
    },
    /** Lets time pass. Ends early when nothing is left to do, unless `isExact`. */
    runUntil: async (endMs: number, isExact = false): Promise<void> => {
      for (;;) {
        await deliverVisible();
        const runMs = await nextRunMs();
        const next = Math.min(nextMs(), runMs);
        if (next > endMs) {
          if (isExact) nowMs = endMs;
          return;
        }
        nowMs = Math.max(nowMs, next);
        if (runMs <= nowMs) await runDueNow();
      }
    },
  };
};

export type Simulation = ReturnType<typeof createSimulation>;

/** Starts a simulation on a database in memory. */
export const startSimulation = async (cleanUp: AsyncDisposableStack, random: Random, receive: Receive) => {
  const database = await startEmbeddedDynamodb({ data: 'memory' });
  cleanUp.defer(() => database.close());
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  cleanUp.defer(() => documents.destroy());
  await createTables(documents);
  const deliveries = createDeliveryStore(documents, LOCAL_TABLE_NAMES.deliveries);
  return {
    ...createSimulation(documents, random, receive),
    deliveries,
    workLeft: async (): Promise<number> => (await readWorkTimes(documents)).length,
    givenEndpoint: (storeId: string) =>
      createEndpoint(documents, { storeId, mode: 'test' }, (id) => `http://127.0.0.1/${id}`),
  };
};
