import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../lib/core/clock.ts';
import { deliverBatch, type MessageResult } from '../../../../lib/deliveries/deliver-batch.ts';
import type { DeliverDependencies } from '../../../../lib/deliveries/deliver-dependencies.ts';
import type { EndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import { createProbeJob } from '../../../../lib/deliveries/parking/probe-job.ts';
import type { DeliveryQueue } from '../../../../lib/deliveries/queue/delivery-queue.ts';
import { laneOf, type Lane } from '../../../../lib/deliveries/queue/lanes.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  drainRequestOf,
  isDrainRequest,
  type QueueMessage,
} from '../../../../lib/deliveries/queue/queue-message.ts';
import type { AttemptResult } from '../../../../lib/deliveries/records/attempt.ts';
import type { DeliveryRecord } from '../../../../lib/deliveries/records/delivery.ts';
import { reportDelivery } from '../../../../lib/deliveries/report-delivery.ts';
import type { DeliveryTimers } from '../../../../lib/deliveries/retries/delivery-timers.ts';
import { createRetryJob } from '../../../../lib/deliveries/retries/retry-job.ts';
import { contendedDelaySeconds, failedDelaySeconds } from '../../../../lib/deliveries/sending/schedule.ts';
import type { EndpointEvent } from '../../../../lib/endpoints/endpoint-event.ts';
import type { EndpointRepository } from '../../../../lib/endpoints/endpoint-repository.ts';
import type { EndpointState, WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import type { StoredSecret } from '../../../../lib/endpoints/secret-repository.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';
import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import type { createOperatorDeliveryRepository } from '../../../../lib/operators/operator-delivery-repository.ts';
import { runJob } from '../../../../lib/timers/run-job.ts';
import type { Timer } from '../../../../lib/timers/timer.ts';
import { manualClock } from '../../../support/clock.ts';
import { newEndpoint } from '../../../support/domain/endpoints.ts';
import { NEVER } from '../../../support/signals.ts';
import { createProcess, DeathError } from './mortal-process.ts';

/** A request that arrived at a receiver. */
interface Received {
  readonly eventId: string;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver: its result for each request. */
type Receiver = (request: Received) => Omit<AttemptResult, 'ms'>;

interface Waiting {
  readonly message: QueueMessage;
  readonly lane: Lane;
  readonly visibleAtMs: number;
  readonly receives: number;
}

/** A delivery that has a timer. */
export interface TimedDelivery extends Timer {
  readonly eventId: string;
  readonly nextAttempt: number;
}

/** The repositories of a world, with more access for the test. */
export interface WorldRepositories extends Pick<
  DeliverDependencies,
  'leases' | 'parkedDeliveries' | 'reportDisabled'
> {
  /** The events of the log that the service disabled the endpoint. */
  reported(): Promise<readonly EndpointEvent[]>;
  parked(): Promise<readonly DeliveryMessage[]>;
  readonly deliveries: Pick<ReturnType<typeof createOperatorDeliveryRepository>, 'record' | 'listOf'>;
  readonly endpoints: Pick<EndpointRepository, 'find'> & { setState(state: EndpointState): Promise<void> };
  readonly endpointTimers: EndpointTimers;
  readonly deliveryTimers: DeliveryTimers;
  /** The deliveries that have a timer. */
  timed(): Promise<readonly TimedDelivery[]>;
  endpointTimer(): Promise<Timer | undefined>;
}

type CreateStores = (endpoint: WebhookEndpoint, now: Clock) => WorldRepositories | Promise<WorldRepositories>;

/** How long each attempt takes. */
export const ATTEMPT_MS = 200;

const MINUTE_MS = 60_000;

export interface WorldOptions {
  readonly receiver?: Receiver;
  /** From 0 to below 1. Default: always 0.5, the middle */
  readonly random?: () => number;
  /** How many calls succeed before the process ends. Default: all */
  readonly lifetime?: number;
  /** How long each attempt takes. Default: {@link ATTEMPT_MS} */
  readonly attemptMs?: number;
}

/** An event of an endpoint's log. Its number is its time. */
const eventOf = ({ storeId, mode }: WebhookEndpoint, recordedAtMs: number): LoggedEvent => {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const type = 'cart.completed';
  const body = JSON.stringify({ id, type, timestamp: new Date(recordedAtMs).toISOString() });
  return { storeId, mode, sequence: recordedAtMs, id, type, cartId: 'c', recordedAtMs, body };
};

/**
 * One endpoint with its stores, and a queue and a clock of the test. Time passes only during attempts, and from one piece of
 * work to the next.
 */
export const givenWorld = async (createStores: CreateStores, options: WorldOptions = {}) => {
  const { random = () => 0.5, lifetime = Infinity, attemptMs = ATTEMPT_MS } = options;
  const clock = manualClock();
  const { now } = clock;
  const { live, mortal, isDead, revive } = createProcess(lifetime);
  let receiver: Receiver = options.receiver ?? (() => ({ status: 200 }));
  /** Runs during each attempt. */
  let meanwhile: (() => Promise<void>) | undefined;
  let waiting: Waiting[] = [];
  let sendError: Error | undefined;
  const received: Received[] = [];
  const events = new Map<number, LoggedEvent>();
  let lastSequence = 0;

  const endpoint = newEndpoint({ url: 'https://shop.example/hook?token=1' });
  let secret: StoredSecret | undefined = { id: endpoint.endpointId, secret: generateSecret() };
  const stores = await createStores(endpoint, now);

  const send: DeliveryQueue['send'] = async (messages, { lane = 'slow', delaySeconds = 0 } = {}) => {
    live();
    if (sendError) throw sendError;
    if (delaySeconds > 900) throw new Error('SQS delays a message by at most 900 s');
    const visibleAtMs = now() + 1_000 * delaySeconds;
    waiting.push(...messages.map((message) => ({ message, lane, visibleAtMs, receives: 0 })));
  };
  const findEvent = async (_log: unknown, sequence: number) => events.get(sequence);
  const process: DeliverDependencies & Pick<WorldRepositories, 'endpointTimers'> = {
    findSecret: async () => secret,
    findEvent,
    leases: mortal(stores.leases),
    deliveries: mortal(stores.deliveries),
    parkedDeliveries: mortal(stores.parkedDeliveries),
    endpointTimers: mortal(stores.endpointTimers),
    queue: { send },
    async reportDisabled(reported) {
      live();
      await stores.reportDisabled(reported);
    },
    report: reportDelivery,
    now,
    random,
    async send({ headers, body }) {
      live();
      const request = { eventId: headers['webhook-id'] ?? '', atMs: now(), headers, body };
      received.push(request);
      await meanwhile?.();
      clock.advance(attemptMs / 1_000);
      return { ...receiver(request), ms: attemptMs };
    },
  };

  /** Handles messages of a queue. Returns their results, in the order of the messages. */
  const handle = async (messages: readonly QueueMessage[], lane: Lane): Promise<readonly MessageResult[]> => {
    const results = await deliverBatch(messages, process, { lane, mayStart: () => true });
    return messages.map((message) => results.get(message)!);
  };

  /** Delivers messages once. Those that are not done return to the queue. */
  const deliver = async (batch: readonly Waiting[]): Promise<readonly MessageResult[]> => {
    waiting = waiting.filter((each) => !batch.includes(each));
    const [{ lane } = { lane: 'slow' as const }] = batch;
    const results = await handle(
      batch.map(({ message }) => message),
      lane,
    );
    for (const [index, { message, receives }] of batch.entries()) {
      const result = results[index];
      if (typeof result === 'string' && result !== 'contended') continue;
      const isFailed = typeof result === 'object';
      if (isFailed && !(result.error instanceof DeathError)) throw result.error;
      const seconds = isFailed ? failedDelaySeconds(receives + 1, random()) : contendedDelaySeconds(random());
      waiting.push({ message, lane, visibleAtMs: now() + 1_000 * seconds, receives: receives + 1 });
    }
    return results;
  };

  const { queue, endpointTimers } = process;
  const { repository } = stores.deliveryTimers;
  const deliveryTimers = {
    ...stores.deliveryTimers,
    repository: { ...repository, ...mortal({ clear: repository.clear }) },
  };
  const jobs = [
    createProbeJob(endpoint.mode, { endpointTimers, queue, now }),
    createRetryJob(endpoint.mode, { deliveryTimers, queue, now }),
  ];

  /** As `run-timers` does once a minute. */
  const runAllTimers = async (): Promise<void> => {
    for (const job of jobs) await runJob(job, now, NEVER);
  };

  /** The time of the next run of `run-timers` that has work. */
  const nextRunAtMs = async (): Promise<number> => {
    const retries = await stores.timed();
    const times = [await stores.endpointTimer(), ...retries].flatMap((timer) => timer?.timerAtMs ?? []);
    return Math.floor(Math.min(...times) / MINUTE_MS + 1) * MINUTE_MS;
  };

  /** The message of a new event, which is not sent yet. */
  const givenMessage = (): DeliveryMessage => {
    lastSequence = Math.max(now(), lastSequence + 1);
    const event = eventOf(endpoint, lastSequence);
    events.set(event.sequence, event);
    return deliveryMessageOf(endpoint, event);
  };

  return {
    endpoint,
    secret: secret.secret,
    clock,
    stores,
    received,
    reported: () => stores.reported(),
    isDead,
    revive,
    runAllTimers,
    deliver: (messages: readonly QueueMessage[]) =>
      deliver(messages.map((message) => ({ message, lane: 'slow', visibleAtMs: 0, receives: 0 }))),
    /** The messages of deliveries in the queue. */
    waiting: () =>
      waiting.flatMap(({ message, ...each }) => (isDrainRequest(message) ? [] : [{ ...each, message }])),
    /** Handles a message, and does not return it to the queue. */
    receive: async (message: QueueMessage) => (await handle([message], 'slow'))[0],
    /** Handles a batch of the quick queue. */
    receiveQuick: (messages: readonly QueueMessage[]) => handle(messages, 'quick'),
    /** The messages that were sent to a queue. */
    queued: (lane: Lane) => waiting.flatMap((each) => (each.lane === lane ? each.message : [])),
    /** Makes all calls of the queue fail. */
    failSends: (error: Error) => void (sendError = error),
    /** Does something during each attempt, from now on. */
    during: (work: typeof meanwhile) => void (meanwhile = work),
    /** Puts a request to drain on the queue. */
    drainRequest: (): void =>
      void waiting.push({ message: drainRequestOf(endpoint), lane: 'slow', visibleAtMs: now(), receives: 0 }),
    /** The requests to drain in the queue. */
    drainRequests: () => waiting.filter(({ message }) => isDrainRequest(message)).length,
    parked: () => stores.parked(),
    bodyOf: ({ sequence = 0 }: DeliveryMessage) => events.get(sequence)?.body ?? '',
    state: async () => (await stores.endpoints.find(endpoint))?.state,
    disabled: async () => (await stores.endpoints.find(endpoint))?.disabled,
    records: (): Promise<readonly DeliveryRecord[]> => stores.deliveries.listOf(endpoint.endpointId),

    removeSecret(): void {
      secret = undefined;
    },

    givenMessage,
    givenMessages: (count: number): DeliveryMessage[] => Array.from({ length: count }, givenMessage),

    /** Replaces the body of an event, as an erasure does, or removes the event. */
    changeEvent({ sequence = 0 }: DeliveryMessage, body: string | undefined): void {
      const event = events.get(sequence);
      if (event && body !== undefined) events.set(sequence, { ...event, body });
      else events.delete(sequence);
    },

    /** Gives the number of an event to another one. */
    replaceEvent({ sequence = 0 }: DeliveryMessage): void {
      events.set(sequence, eventOf(endpoint, sequence));
    },

    /** The queue that the fan-out chooses now. */
    lane: async (): Promise<Lane> =>
      laneOf((await stores.endpoints.find(endpoint))?.state ?? { failures: 0 }),

    /** Puts messages on a queue. Default: the slow one */
    enqueue(messages: readonly DeliveryMessage[], lane: Lane = 'slow'): void {
      waiting.push(...messages.map((message) => ({ message, lane, visibleAtMs: now(), receives: 0 })));
    },

    /** Replaces the receiver, from now on. */
    respond(next: Receiver): void {
      receiver = next;
    },

    /** Does all work in the order of its time, until nothing is left, a time is reached, or the process ends. */
    async run(untilMs = Infinity): Promise<void> {
      while (!isDead()) {
        const runAtMs = await nextRunAtMs();
        const visibleAtMs = Math.min(...waiting.map((each) => each.visibleAtMs));
        const nextMs = Math.min(runAtMs, visibleAtMs);
        if (nextMs >= untilMs || nextMs === Infinity) return;
        clock.advance(Math.max(0, nextMs - now()) / 1_000);
        const due = waiting.filter((each) => each.visibleAtMs <= now());
        const visible = due.filter(({ lane }) => lane === due[0]?.lane).slice(0, 10);
        if (visible.length > 0) await deliver(visible);
        if (runAtMs <= now()) await runAllTimers();
      }
    },
  };
};

export type World = Awaited<ReturnType<typeof givenWorld>>;
