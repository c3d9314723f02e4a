import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/core/clock.ts';
import type { StoredDueEntry } from '../../../lib/due/due-item.ts';
import type { DueStore } from '../../../lib/due/due-store.ts';
import type { BusEvent } from '../../../lib/events/bus.ts';
import type { LoggedEvent } from '../../../lib/events/store-event.ts';
import { type BatchDependencies, deliverBatch } from '../../../lib/webhooks/deliver-batch.ts';
import type { DeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import {
  type AttemptResult,
  type DeliveryMessage,
  deliveryMessageOf,
  type DeliveryRecord,
} from '../../../lib/webhooks/delivery.ts';
import { handleDueDelivery } from '../../../lib/webhooks/due-deliveries.ts';
import type { EndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import {
  type EndpointState,
  generateEndpointId,
  generateSecret,
  type WebhookEndpoint,
} from '../../../lib/webhooks/endpoint.ts';
import type { ParkedDeliveries } from '../../../lib/webhooks/parked-deliveries.ts';
import { reportDelivery } from '../../../lib/webhooks/report-delivery.ts';
import { createReportDisabled } from '../../../lib/webhooks/report-disabled.ts';
import { busyDelaySeconds } from '../../../lib/webhooks/schedule.ts';
import type { StoredSecret } from '../../../lib/webhooks/secret-store.ts';
import { manualClock } from '../../support/clock.ts';

/** A request that arrived at a receiver. */
export interface Received {
  readonly eventId: string;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver: its result for each request. */
export type Receiver = (request: Received) => Omit<AttemptResult, 'ms'>;

interface Waiting {
  readonly message: DeliveryMessage;
  readonly visibleAtMs: number;
  readonly receives: number;
}

/** The stores of a world, with more access for the test. */
export interface WorldStores extends Pick<BatchDependencies, 'leases'> {
  readonly deliveries: Pick<DeliveryStore, 'record' | 'listOf'>;
  readonly endpoints: Pick<EndpointStore, 'get'> & { setState(state: EndpointState): Promise<void> };
  readonly parked: ParkedDeliveries;
  readonly due: Pick<DueStore, 'put' | 'done'> & { entries(): Promise<readonly StoredDueEntry[]> };
}

export type CreateStores = (endpoint: WebhookEndpoint, now: Clock) => WorldStores | Promise<WorldStores>;

/** How long each attempt takes. */
export const ATTEMPT_MS = 200;

const MINUTE_MS = 60_000;

/** The process ended. */
export class DeathError extends Error {}

export interface WorldOptions {
  readonly receiver?: Receiver;
  /** From 0 to below 1. Default: always 0.5, the middle */
  readonly random?: () => number;
  /** How many calls succeed before the process ends. Default: all */
  readonly lifetime?: number;
}

/** An event of an endpoint's log. Its number is its time. */
const eventOf = ({ storeId, mode }: WebhookEndpoint, recordedAtMs: number): LoggedEvent => {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const type = 'cart.completed';
  const body = JSON.stringify({ id, type, timestamp: new Date(recordedAtMs).toISOString() });
  return { storeId, mode, sequence: recordedAtMs, id, type, cartId: 'c', recordedAtMs, body };
};

/** A process that ends after a number of calls. The last one has an effect, and the next one does not happen. */
const createProcess = (lifetime: number) => {
  let callsLeft = lifetime;
  const live = (): void => {
    if (callsLeft <= 0) throw new DeathError();
    callsLeft -= 1;
  };
  return {
    live,
    isDead: () => callsLeft <= 0,
    revive: () => {
      callsLeft = Infinity;
    },
    /** A store whose calls may be the last ones. */
    mortal: <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
          return async (...args: unknown[]) => {
            live();
            return method.apply(target, args);
          };
        },
      }),
  };
};

/**
 * One endpoint with its stores, and a queue and a clock of the test. Time passes only during attempts, and from one piece of
 * work to the next.
 */
export const givenWorld = async (createStores: CreateStores, options: WorldOptions = {}) => {
  const { random = () => 0.5, lifetime = Infinity } = options;
  const clock = manualClock();
  const { now } = clock;
  const { live, mortal, isDead, revive } = createProcess(lifetime);
  let receiver: Receiver = options.receiver ?? (() => ({ status: 200 }));
  let waiting: Waiting[] = [];
  const received: Received[] = [];
  const reported: BusEvent[] = [];
  const events = new Map<number, LoggedEvent>();
  let lastSequence = 0;

  const endpoint: WebhookEndpoint = {
    storeId: `store-${randomUUID()}`,
    mode: 'test',
    endpointId: generateEndpointId(),
    url: 'https://shop.example/hook?token=1',
    createdAtMs: now(),
  };
  let secret: StoredSecret | undefined = { endpointId: endpoint.endpointId, secret: generateSecret() };
  const stores = await createStores(endpoint, now);

  const send = async (messages: readonly DeliveryMessage[], delaySeconds = 0): Promise<void> => {
    live();
    const visibleAtMs = now() + 1_000 * delaySeconds;
    waiting.push(...messages.map((message) => ({ message, visibleAtMs, receives: 0 })));
  };
  const put = async (sent: readonly BusEvent[]): Promise<void> => {
    live();
    reported.push(...sent);
  };
  const process: BatchDependencies & Pick<WorldStores, 'parked'> = {
    findSecret: async () => secret,
    leases: mortal(stores.leases),
    deliveries: mortal(stores.deliveries),
    parked: mortal(stores.parked),
    endpoints: mortal(stores.endpoints),
    due: mortal(stores.due),
    queue: { send },
    reportDisabled: createReportDisabled({ put }, async () => 'Shop'),
    report: reportDelivery,
    now,
    random,
    async send({ headers, body }) {
      live();
      const request = { eventId: headers['webhook-id'] ?? '', atMs: now(), headers, body };
      received.push(request);
      clock.advance(ATTEMPT_MS / 1_000);
      return { ...receiver(request), ms: ATTEMPT_MS };
    },
  };

  /** Delivers messages once. Those that are not done return to the queue. */
  const deliver = async (batch: readonly Waiting[]): Promise<readonly string[]> => {
    waiting = waiting.filter((each) => !batch.includes(each));
    const results = await deliverBatch(
      batch.map(({ message }) => message),
      process,
    );
    for (const [index, { message, receives }] of batch.entries()) {
      const result = results[index];
      if (result?.outcome === 'done') continue;
      if (result?.outcome === 'failed' && !(result.error instanceof DeathError)) throw result.error;
      const delayMs = 1_000 * busyDelaySeconds(receives + 1, random());
      waiting.push({ message, visibleAtMs: now() + delayMs, receives: receives + 1 });
    }
    return results.map(({ outcome }) => outcome);
  };

  const dueEntries = async (): Promise<readonly StoredDueEntry[]> =>
    (await stores.due.entries()).toSorted((a, b) => a.dueAtMs - b.dueAtMs);

  /** As `run-due` does once a minute. */
  const runDue = async (): Promise<void> => {
    const { endpoints, parked, queue, due } = process;
    const findEvent = async (_log: unknown, sequence: number) => events.get(sequence);
    for (const stored of await dueEntries()) {
      const { entry, dueAtMs } = stored;
      if (dueAtMs > now() || !entry || entry.kind === 'expiry') continue;
      try {
        await handleDueDelivery(entry, { endpoints, parked, findEvent, queue, due, now });
        live();
        await stores.due.done(stored);
      } catch (error) {
        if (!(error instanceof DeathError)) throw error;
      }
    }
  };

  return {
    endpoint,
    secret: secret.secret,
    clock,
    stores,
    received,
    reported,
    isDead,
    revive,
    dueEntries,
    deliver: (messages: readonly DeliveryMessage[]) =>
      deliver(messages.map((message) => ({ message, visibleAtMs: 0, receives: 0 }))),
    waiting: () => waiting,
    parked: () => stores.parked.list(endpoint, 1_000),
    state: async () => (await stores.endpoints.get(endpoint))?.state,
    disabled: async () => (await stores.endpoints.get(endpoint))?.disabled,
    records: (): Promise<readonly DeliveryRecord[]> => stores.deliveries.listOf(endpoint.endpointId),

    removeSecret(): void {
      secret = undefined;
    },

    /** Messages of new events, which are not sent yet. */
    givenMessages: (count: number): DeliveryMessage[] =>
      Array.from({ length: count }, () => {
        lastSequence = Math.max(now(), lastSequence + 1);
        const event = eventOf(endpoint, lastSequence);
        events.set(event.sequence, event);
        return deliveryMessageOf(endpoint, event);
      }),

    /** Puts messages on the queue. */
    enqueue(messages: readonly DeliveryMessage[]): void {
      waiting.push(...messages.map((message) => ({ message, visibleAtMs: now(), receives: 0 })));
    },

    /** Replaces the receiver, from now on. */
    respond(next: Receiver): void {
      receiver = next;
    },

    /** Does all work in the order of its time, until nothing is left, a time is reached, or the process ends. */
    async run(untilMs = Infinity): Promise<void> {
      while (!isDead()) {
        const [entry] = await dueEntries();
        // The run after the entry's time.
        const runAtMs = entry ? Math.floor(entry.dueAtMs / MINUTE_MS + 1) * MINUTE_MS : Infinity;
        const visibleAtMs = Math.min(...waiting.map((each) => each.visibleAtMs));
        const nextMs = Math.min(runAtMs, visibleAtMs);
        if (nextMs >= untilMs || nextMs === Infinity) return;
        clock.advance(Math.max(0, nextMs - now()) / 1_000);
        const visible = waiting.filter((each) => each.visibleAtMs <= now()).slice(0, 10);
        if (visible.length > 0) await deliver(visible);
        if (runAtMs <= now()) await runDue();
      }
    },
  };
};

export type World = Awaited<ReturnType<typeof givenWorld>>;
