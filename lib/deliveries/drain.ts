import { inParallel } from '../core/in-parallel.ts';
import type { EndpointRef } from '../endpoints/endpoint.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import { embeddedMetrics } from '../telemetry/metrics.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import { deliver, deliverUnderLease } from './deliver.ts';
import type { Lease } from './leases/leases.ts';
import { mayDrain } from './parking/drain-need.ts';
import type { Lane } from './queue/lanes.ts';
import { drainRequestOf } from './queue/queue-message.ts';
import { freeOnError } from './send-under-lease.ts';
import { contendedDelaySeconds, LONG_MS } from './sending/schedule.ts';
import { drop } from './store-result.ts';

/** The deliveries of a disabled endpoint that are dropped at the same time. */
const DROPPED_AT_ONCE = 25;

/**
 * - `drained`: nothing to do now. No delivery is parked, the breaker is open, or another process holds slot 0 and drains.
 * - `unfinished`: parked deliveries may be left. Continue in another invocation.
 * - `notQuick`: the same, from the slow queue.
 * - `contended`: other writers keep the call from the endpoint. Try again later.
 */
type Drained = 'drained' | 'unfinished' | 'notQuick' | 'contended';

/**
 * Sends the parked delivery with the oldest event, and at the same time the second one if slot 1 is free. Slot 0 stays held until
 * both have ended, so nobody else sends them.
 *
 * @returns why the drain ends, or `undefined` if further parked deliveries may go out now
 */
const sendOldest = async (lease: Lease, dependencies: DeliverDependencies): Promise<Drained | undefined> => {
  const { endpointId, state } = lease.endpoint;
  const { parkedDeliveries, leases, now } = dependencies;
  const { messages, isEmpty } = await parkedDeliveries.first(endpointId, state.isQuick ? 2 : 1);
  const [first, second] = messages;
  if (isEmpty) return (await leases.freeDrained(lease)) ? 'drained' : undefined;
  if (!first) throw new Error('No parked delivery of the endpoint can be read');
  const meanwhile = second && deliver(second, dependencies, { slots: [1], isParked: true });
  const options = { isParked: true, meanwhile };
  const { outcome, endpoint, ms = 0 } = await deliverUnderLease(first, lease, dependencies, options);
  const { ms: secondMs = 0 } = (await meanwhile) ?? {};
  // After a `contended` one, the process was too slow. `run-timers` continues within two minutes.
  if (outcome === 'contended' || !endpoint || !mayDrain(endpoint, now())) return 'drained';
  return Math.max(ms, secondMs) > LONG_MS ? 'unfinished' : undefined;
};

/** Drops the parked deliveries of a disabled endpoint with the oldest events. Returns the same as {@link sendOldest}. */
const dropOldest = async (lease: Lease, dependencies: DeliverDependencies): Promise<Drained | undefined> => {
  const { parkedDeliveries, leases, reportDisabled } = dependencies;
  const { endpoint } = lease;
  await reportDisabled(endpoint);
  const { messages, isEmpty } = await parkedDeliveries.first(endpoint.endpointId, DROPPED_AT_ONCE);
  if (isEmpty) return (await leases.freeDrained(lease)) ? 'drained' : undefined;
  await inParallel(messages, DROPPED_AT_ONCE, async (message) => {
    await drop(message, dependencies);
    await parkedDeliveries.remove(message);
  });
  await leases.free(lease);
  return messages.length > 0 ? undefined : 'drained';
};

/** An invocation of `deliver-webhooks`. */
export interface Invocation {
  /** The queue of its messages. */
  readonly lane: Lane;
  /** Whether there is time for another attempt, and for its calls. */
  readonly mayStart: () => boolean;
}

/**
 * Sends the parked deliveries of an endpoint, one or two at a time, the oldest events first. Those of a disabled endpoint are
 * dropped. Only the holder of slot 0 does that. A delivery stays parked until its result is stored, so a process may end at any
 * time.
 *
 * @throws as `deliver`
 */
const sendParked = async (
  ref: EndpointRef,
  dependencies: DeliverDependencies,
  { lane, mayStart }: Invocation,
): Promise<Drained> => {
  const { leases } = dependencies;
  while (mayStart()) {
    // oxlint-disable no-await-in-loop -- one after another
    const taken = await leases.take(ref, { slots: [0], purpose: 'drain', lane });
    if ('outcome' in taken)
      return taken.outcome === 'notQuick' || taken.outcome === 'contended' ? taken.outcome : 'drained';
    const step = taken.endpoint.disabled ? dropOldest : sendOldest;
    const drained = await freeOnError(taken, dependencies, () => step(taken, dependencies));
    // oxlint-enable no-await-in-loop
    if (drained) return drained;
  }
  return 'unfinished';
};

/** Drains an endpoint in this invocation, as far as there is time, and asks for another one to continue. */
export const drain = async (
  endpoint: EndpointRef,
  dependencies: DeliverDependencies,
  invocation: Invocation,
): Promise<void> => {
  try {
    const drained = await sendParked(endpoint, dependencies, invocation);
    if (drained === 'drained') return;
    const lane = drained === 'notQuick' ? 'slow' : invocation.lane;
    const delaySeconds = drained === 'contended' ? contendedDelaySeconds(dependencies.random()) : 0;
    await dependencies.queue.send([drainRequestOf(endpoint)], { lane, delaySeconds });
  } catch (error) {
    // `run-timers` restarts the drain within a minute or two. Returned requests would add up with those of `run-timers`.
    logger.warn('drain', {
      outcome: 'failed',
      cause: describeFailure(error),
      ...embeddedMetrics({ mode: endpoint.mode }, { DeliveriesInterrupted: 1 }),
    });
  }
};
