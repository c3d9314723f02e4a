import type { Clock } from '../core/clock.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';
import { parseLogKey } from '../events/store-event.ts';
import { isOutage } from '../events/outage.ts';
import { postponeFailed, type TimerWork } from '../timers/run-timers.ts';
import type { DueItem, TimerStore } from '../timers/timer-store.ts';
import { timersOf } from '../timers/timer.ts';
import { isOpen } from './breaker.ts';
import { parkedOf } from './delivery-timers.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { EndpointTimers } from './endpoint-timers.ts';
import type { WaitingDeliveries } from './waiting-deliveries.ts';

export interface ProbeWorkDependencies {
  /** The timers of the table `webhookEndpoints`. */
  readonly timers: TimerStore;
  readonly endpoints: Pick<EndpointStore, 'get'> & EndpointTimers;
  readonly deliveries: WaitingDeliveries;
  readonly now: Clock;
}

/** The parked deliveries that one drain puts into the queue: 10 a second for a minute. */
const DRAIN_MAX = 600;
const DRAIN_PER_SECOND = 10;

/** `run-due` comes once a minute. */
const AGAIN_MS = 60_000;

/** An endpoint keeps its timer for this long after a delivery was parked, because the index may not show the delivery yet. */
const SETTLED_MS = 5 * 60_000;

const ENDPOINTS_AT_ONCE = 10;

/** Puts deliveries into the queue. One that cannot be read moves behind the others. */
const requeueEach = async (
  items: readonly DueItem[],
  delaySeconds: number,
  dependencies: Pick<ProbeWorkDependencies, 'deliveries' | 'now'>,
  signal: AbortSignal,
): Promise<void> => {
  const { deliveries, now } = dependencies;
  try {
    await deliveries.requeue(items, delaySeconds, signal);
  } catch (error) {
    if (isOutage(error) || signal.aborted) throw error;
    const [first] = items;
    if (first && items.length === 1) {
      await postponeFailed('parked', deliveries.timers, first, error, now());
      return;
    }
    for (const item of items) {
      // oxlint-disable-next-line no-await-in-loop -- rare
      await requeueEach([item], delaySeconds, dependencies, signal);
    }
  }
};

/** Puts the oldest parked deliveries into the queue, with delays that spread them. Returns how many it found. */
const drain = async (
  endpointId: string,
  limit: number,
  dependencies: Pick<ProbeWorkDependencies, 'deliveries' | 'now'>,
  signal: AbortSignal,
): Promise<number> => {
  const { deliveries } = dependencies;
  const { value: page = [] } = await deliveries.timers
    .due(parkedOf(endpointId), Number.MAX_SAFE_INTEGER, signal)
    .next();
  const parked: readonly DueItem[] = page.slice(0, limit);
  for (const [second, part] of inParts(parked, DRAIN_PER_SECOND).entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the oldest first
    await requeueEach(part, second, dependencies, signal);
  }
  return parked.length;
};

/** The next time at which an endpoint needs attention. `undefined` if nothing is parked any more. */
const nextTimeOf = ({ state }: EndpointWithState, mayHaveMore: boolean, nowMs: number): number | undefined =>
  mayHaveMore || nowMs - (state.parkedAtMs ?? 0) < SETTLED_MS ? nowMs + AGAIN_MS : undefined;

/**
 * Handles the parked deliveries of an endpoint. While its breaker is open, the oldest one is a probe. After a recovery, all
 * follow, and after it was disabled, `deliver` drops them.
 */
const handleEndpoint = async (
  { key, ...timer }: DueItem,
  dependencies: ProbeWorkDependencies,
  signal: AbortSignal,
): Promise<boolean> => {
  const { endpoints, now } = dependencies;
  const endpointId = String(key['id']);
  const endpoint = await endpoints.get({ ...parseLogKey(String(key['log'])), endpointId });
  // TTL deletes the parked deliveries of an endpoint that was removed.
  if (!endpoint) return false;
  const nowMs = now();
  const isProbed = !endpoint.disabled && isOpen(endpoint.state);
  const { probeAtMs = 0 } = endpoint.state;
  if (isProbed && probeAtMs > nowMs) {
    await endpoints.set(endpoint, timer, probeAtMs);
    return false;
  }
  const limit = isProbed ? 1 : DRAIN_MAX;
  const found = await drain(endpointId, limit, dependencies, signal);
  await endpoints.set(endpoint, timer, nextTimeOf(endpoint, found === limit, nowMs));
  return found > 0;
};

/** Sends probes to the endpoints whose breaker is open, and the parked deliveries of those that have recovered. */
export const createProbeWork = (dependencies: ProbeWorkDependencies): TimerWork => ({
  name: 'probes',
  lagMetric: 'DueLagSeconds',
  store: dependencies.timers,
  timers: timersOf('probe'),
  untilMs: (nowMs) => nowMs,
  async handle(items, signal) {
    const handled: number[] = [];
    await inParallel(items, ENDPOINTS_AT_ONCE, async (item) => {
      if (await handleEndpoint(item, dependencies, signal)) handled.push(item.timerAtMs);
    });
    return { count: handled.length, firstDueAtMs: handled.length === 0 ? undefined : Math.min(...handled) };
  },
});
