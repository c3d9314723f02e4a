import type { Clock } from '../core/clock.ts';
import type { DueEntry, DueSchedule } from '../due/due-entry.ts';
import type { LoggedEvent, LogId } from '../events/store-event.ts';
import { isOpen } from './breaker.ts';
import { deliveryMessageOf, type DeliveryQueue } from './delivery.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { EndpointRef } from './endpoint.ts';
import type { ParkedDeliveries, ParkedDelivery } from './parked-deliveries.ts';
import { wakeUp } from './wake-up.ts';

/** An entry that concerns a delivery. */
export type DueDelivery = Extract<DueEntry, { kind: 'attempt' | 'probe' | 'drain' }>;

export interface DueDeliveryDependencies {
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly parked: ParkedDeliveries;
  /** Reads an event of a log by its number. `undefined` if it is no longer kept. */
  readonly findEvent: (log: LogId, sequence: number) => Promise<LoggedEvent | undefined>;
  readonly queue: DeliveryQueue;
  readonly due: DueSchedule;
  readonly now: Clock;
}

/** The parked deliveries that one drain puts on the queue: 10 a second for a minute. */
const DRAIN_MAX = 600;
const DRAIN_PER_SECOND = 10;
const DRAIN_MS = (1_000 * DRAIN_MAX) / DRAIN_PER_SECOND;

/** A run handles an entry a little early. The queue's delay makes its time exact. */
const EARLY_MAX_MS = 60_000;

const secondsUntil = (atMs: number, nowMs: number): number =>
  Math.max(0, Math.ceil((Math.min(atMs, nowMs + EARLY_MAX_MS) - nowMs) / 1_000));

/** Moves parked deliveries to the queue. An event that is no longer kept cannot be delivered. */
const unpark = async (
  endpoint: EndpointRef,
  deliveries: readonly ParkedDelivery[],
  delaySeconds: number,
  { findEvent, queue, parked }: DueDeliveryDependencies,
): Promise<void> => {
  const messages = await Promise.all(
    deliveries.map(async ({ sequence, attempt }) => {
      const event = await findEvent(endpoint, sequence);
      return event && deliveryMessageOf(endpoint, event, attempt);
    }),
  );
  const kept = messages.filter((message) => message !== undefined);
  if (kept.length > 0) await queue.send(kept, delaySeconds);
  await parked.remove(
    endpoint,
    deliveries.map(({ id }) => id),
  );
};

/** Drains after the time of one drain. Drains of one endpoint and minute are one entry. */
const drainLater = (
  endpoint: EndpointRef,
  { due, now }: Pick<DueDeliveryDependencies, 'due' | 'now'>,
): Promise<void> => due.put([wakeUp('drain', endpoint, now(), now() + DRAIN_MS)]);

/** Puts up to 600 parked deliveries on the queue, with delays that spread them over a minute. */
const drain = async (endpoint: EndpointRef, dependencies: DueDeliveryDependencies): Promise<void> => {
  const deliveries = await dependencies.parked.list(endpoint, DRAIN_MAX);
  if (deliveries.length === DRAIN_MAX) await drainLater(endpoint, dependencies);
  for (let start = 0; start < deliveries.length; start += DRAIN_PER_SECOND) {
    const part = deliveries.slice(start, start + DRAIN_PER_SECOND);
    // oxlint-disable-next-line no-await-in-loop -- the oldest first
    await unpark(endpoint, part, start / DRAIN_PER_SECOND, dependencies);
  }
};

/** Sends the oldest parked delivery as a probe. The breaker lets it pass, because the time of the next probe has come. */
const probe = async (
  endpoint: EndpointRef,
  probeAtMs: number,
  dependencies: DueDeliveryDependencies,
): Promise<void> => {
  const { parked, due, now } = dependencies;
  const [oldest] = await parked.list(endpoint, 1);
  if (!oldest) return;
  // While deliveries are parked, an entry is always due that handles them.
  await due.put([wakeUp('probe', endpoint, now(), probeAtMs)]);
  if (probeAtMs - now() > EARLY_MAX_MS) return;
  await unpark(endpoint, [oldest], secondsUntil(probeAtMs, now()), dependencies);
};

/**
 * Handles an entry that is due: puts its deliveries on the delivery queue. The caller then deletes the entry. A repetition
 * is harmless.
 *
 * @throws when DynamoDB or the queue is slow, throttles or is down. Handle the entry again.
 */
export const handleDueDelivery = async (
  entry: DueDelivery,
  dependencies: DueDeliveryDependencies,
): Promise<void> => {
  const { endpoints, findEvent, queue, now } = dependencies;
  if (entry.kind === 'attempt') {
    const event = await findEvent(entry.endpoint, entry.sequence);
    if (!event) return;
    const message = deliveryMessageOf(entry.endpoint, event, entry.attempt);
    await queue.send([message], secondsUntil(entry.atMs ?? 0, now()));
    return;
  }
  const endpoint = await endpoints.get(entry.endpoint);
  // The deliveries of a disabled or removed endpoint go to the queue too: `deliver` drops them.
  if (!endpoint || endpoint.disabled) await drain(entry.endpoint, dependencies);
  else if (isOpen(endpoint.state)) await probe(entry.endpoint, endpoint.state.probeAtMs ?? 0, dependencies);
  // The success that closed the breaker started a drain. Two at once would send twice as fast.
  else if (entry.kind === 'probe') await drainLater(entry.endpoint, dependencies);
  else await drain(entry.endpoint, dependencies);
};
