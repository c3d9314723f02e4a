import { isOpen, mayDrain } from './breaker.ts';
import { attempt, bodyOf, deliver, type DeliverDependencies, drop } from './deliver.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { EndpointRef } from './endpoint.ts';
import type { Lease } from './leases.ts';

/** After a slower attempt, an invocation starts no further one to the endpoint: it would hold back its other messages. */
export const SLOW_MS = 1_000;

/** The deliveries of a disabled endpoint that are dropped at the same time. */
const DROPPED_AT_ONCE = 25;

/**
 * - `drained`: no parked delivery is left, another process continues, or the breaker is open.
 * - `unfinished`: parked deliveries may be left. Continue in another invocation.
 * - `busy`: other writers keep the call from the endpoint. Try again later.
 */
export type Drained = 'drained' | 'unfinished' | 'busy';

/** What is left after {@link sendFirst}. */
interface Sent {
  /** Whether further parked deliveries may go out now. */
  readonly continues: boolean;
  /** How long the slower attempt took. 0 without one. */
  readonly ms: number;
}

/**
 * Sends the parked delivery with the oldest event, and at the same time the second one if slot 1 is free. Slot 0 stays held until both
 * have their results, so nobody else sends them.
 */
const sendFirst = async (lease: Lease, dependencies: DeliverDependencies): Promise<Sent> => {
  const { endpointId, state } = lease.endpoint;
  const { parkedDeliveries, leases, report, now } = dependencies;
  const count = state.isQuick && !isOpen(state) ? 2 : 1;
  const { messages, isEmpty } = await parkedDeliveries.first(endpointId, count);
  const [first, second] = messages;
  if (!first && isEmpty) return { continues: !(await leases.freeDrained(lease)), ms: 0 };
  if (!first) {
    await leases.free(lease);
    return { continues: false, ms: 0 };
  }
  const body = await bodyOf(first, dependencies);
  if (body === undefined) {
    report({ message: first, outcome: 'unknown' });
    await parkedDeliveries.remove(first);
    await leases.free(lease);
    return { continues: true, ms: 0 };
  }
  const other = second && deliver(second, dependencies, { slots: [1], isParked: true });
  // Its error is thrown below, after the attempt by slot 0 has its result.
  const others = Promise.allSettled([other]);
  const { endpoint, ms = 0 } = await attempt(first, body, lease, dependencies, { isParked: true, others });
  const { ms: otherMs = 0 } = (await other) ?? {};
  return { continues: endpoint !== undefined && mayDrain(endpoint, now()), ms: Math.max(ms, otherMs) };
};

/** Drops parked deliveries of a disabled endpoint. Returns whether more may be left. */
const dropParked = async (
  endpoint: EndpointWithState,
  dependencies: DeliverDependencies,
): Promise<boolean> => {
  const { parkedDeliveries, leases } = dependencies;
  const { messages, isEmpty } = await parkedDeliveries.first(endpoint.endpointId, DROPPED_AT_ONCE);
  if (isEmpty) await leases.noteDrained(endpoint);
  const dropped = messages.map(async (message) => {
    await drop(message, endpoint, dependencies);
    await parkedDeliveries.remove(message);
  });
  await Promise.all(dropped);
  return messages.length > 0;
};

/**
 * Sends the parked deliveries of an endpoint one after another, the oldest event first. Only the holder of slot 0 does that. A
 * delivery stays parked until its result is stored, so a process may end at any time.
 *
 * @param mayStart whether there is time for another attempt
 * @throws as `deliver`
 */
export const drain = async (
  ref: EndpointRef,
  dependencies: DeliverDependencies,
  mayStart: () => boolean,
): Promise<Drained> => {
  const { leases } = dependencies;
  while (mayStart()) {
    // oxlint-disable no-await-in-loop -- one after another
    const taken = await leases.take(ref, { slots: [0] });
    if ('outcome' in taken) {
      const { outcome, endpoint } = taken;
      if (outcome === 'busy' && !endpoint) return 'busy';
      if (outcome !== 'dropped' || !endpoint) return 'drained';
      if (!(await dropParked(endpoint, dependencies))) return 'drained';
      continue;
    }
    const { continues, ms } = await sendFirst(taken, dependencies);
    // oxlint-enable no-await-in-loop
    if (!continues) return 'drained';
    if (ms > SLOW_MS) return 'unfinished';
  }
  return 'unfinished';
};
