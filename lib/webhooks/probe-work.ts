import type { Clock } from '../core/clock.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';
import { isItemThrottle, isOutage } from '../core/errors.ts';
import { type HandledItems, postponeFailed, type TimerWork } from '../timers/run-timers.ts';
import type { DueItem } from '../timers/timer-store.ts';
import { parkedOf, timersOf } from '../timers/timer.ts';
import { isOpen } from './breaker.ts';
import type { TimedDeliveries } from './timed-deliveries.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { EndpointTimers } from './endpoint-timers.ts';

interface ProbeWorkDependencies {
  readonly endpointTimers: Pick<EndpointTimers, 'store' | 'claim' | 'end'>;
  readonly deliveries: TimedDeliveries;
  readonly now: Clock;
}

const NAME = 'probes';

/** The parked deliveries that one drain puts into the queue: 10 a second for a minute. */
const DRAIN_MAX = 600;
const DRAIN_PER_SECOND = 10;

/** The next run, a minute later, looks at the endpoint again. A run at the same time, or with a stale index, does not. */
const AGAIN_MS = 30_000;

/** An endpoint keeps its timer for this long after a delivery was parked, because the index may not show the delivery yet. */
const SETTLED_MS = 3_600_000;

const ENDPOINTS_AT_ONCE = 10;

/**
 * How many parked deliveries follow now. While the breaker is open, one is a probe if its time has come. After a recovery, all
 * follow, and after the endpoint was disabled, `deliver` drops them.
 */
const limitOf = ({ disabled, state }: EndpointWithState, nowMs: number): number => {
  if (disabled || !isOpen(state)) return DRAIN_MAX;
  return (state.probeAtMs ?? 0) <= nowMs ? 1 : 0;
};

/** The result of a drain. */
interface Drained extends HandledItems {
  /** Whether the endpoint had no parked deliveries. */
  readonly isEmpty: boolean;
}

/** Puts the deliveries that were parked first into the queue, with delays that spread them. */
const drain = async (
  endpointId: string,
  limit: number,
  { deliveries, now }: Pick<ProbeWorkDependencies, 'deliveries' | 'now'>,
  signal: AbortSignal,
): Promise<Drained> => {
  const parked: DueItem[] = [];
  for await (const page of deliveries.timers.due(parkedOf(endpointId), Number.MAX_SAFE_INTEGER, signal)) {
    parked.push(...page);
    if (parked.length >= limit) break;
  }
  // One that failed has a later time.
  const due = parked.filter(({ timerAtMs }) => timerAtMs <= now());
  let count = 0;
  let failed = 0;
  for (const [second, part] of inParts(due.slice(0, limit), DRAIN_PER_SECOND).entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the first parked come first
    const requeued = await deliveries.requeue(part, second, signal);
    count += requeued.count;
    failed += requeued.failed;
  }
  return { count, failed, isEmpty: parked.length === 0 };
};

/**
 * Handles the parked deliveries of an endpoint. The endpoint keeps its timer until none is left.
 *
 * After an error other than an outage, it postpones the endpoint. `runTimers` could not, because it has only the timer from
 * before `claim`.
 *
 * @throws an outage
 */
const handleEndpoint = async (
  item: DueItem,
  dependencies: ProbeWorkDependencies,
  signal: AbortSignal,
): Promise<HandledItems> => {
  const { endpointTimers, now } = dependencies;
  const nowMs = now();
  const claimed = { ...item, timerAtMs: nowMs + AGAIN_MS };
  try {
    const endpoint = await endpointTimers.claim(item, claimed.timerAtMs);
    // TTL deletes the parked deliveries of an endpoint that was removed.
    const limit = endpoint ? limitOf(endpoint, nowMs) : 0;
    if (!endpoint || limit === 0) return { count: 0 };
    const drained = await drain(endpoint.endpointId, limit, dependencies, signal);
    const { parkedAtMs = 0 } = endpoint.state;
    if (drained.isEmpty && nowMs - parkedAtMs >= SETTLED_MS) await endpointTimers.end(claimed, parkedAtMs);
    return drained;
  } catch (error) {
    if (signal.aborted || isOutage(error)) throw error;
    await postponeFailed(NAME, endpointTimers.store, claimed, error, now());
    return { count: 0, failed: 1 };
  }
};

/** Sends probes to the endpoints whose breaker is open, and the parked deliveries of those that have recovered. */
export const createProbeWork = (dependencies: ProbeWorkDependencies): TimerWork => ({
  name: NAME,
  lagMetric: 'DueLagSeconds',
  store: dependencies.endpointTimers.store,
  timers: timersOf('probe'),
  untilMs: (nowMs) => nowMs,
  async handle(items, signal) {
    let count = 0;
    let failed = 0;
    let throttle: Error | undefined;
    await inParallel(items, ENDPOINTS_AT_ONCE, async (item) => {
      try {
        const handled = await handleEndpoint(item, dependencies, signal);
        count += handled.count;
        failed += handled.failed ?? 0;
      } catch (error) {
        // Many messages compete for the item of one endpoint. The other endpoints come first.
        if (!isItemThrottle(error)) throw error;
        throttle = error as Error;
      }
    });
    if (throttle) throw throttle;
    return { count, failed, firstDueAtMs: count === 0 ? undefined : items[0]?.timerAtMs };
  },
});
