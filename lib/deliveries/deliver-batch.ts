import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { embeddedMetrics, logger } from '../telemetry/telemetry.ts';
import { hasParked, mayDrain } from './parking.ts';
import { LONG_MS, type Lane } from './lanes.ts';
import { deliver } from './deliver.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { Outcome } from './delivery.ts';
import { type DeliveryMessage, drainRequestOf, isDrainRequest, type QueueMessage } from './queue-message.ts';
import { drain } from './drain.ts';
import type { EndpointWithState } from '../endpoints/endpoint-items.ts';
import type { EndpointRef } from '../endpoints/endpoint.ts';
import type { Slot } from '../endpoints/lease-slots.ts';
import { contendedDelaySeconds } from './schedule.ts';

// 1. `deliverBatch` groups messages by endpoint. It gives those of an endpoint to `deliver`, one after another.
// 2. `deliver` takes a slot of the endpoint, sends the message, and releases the slot with the result.
// 3. A message that finds no slot is parked.
// 4. `drain` sends parked deliveries while it holds slot 0. A request in the queue continues a drain whose time is over.

/**
 * The result of a message:
 *
 * - `drained`, for a request to drain, or an outcome but `contended`: delete it. A copy of one that is `notQuick` is in the slow queue
 * - `contended`: return it after `contendedDelaySeconds`
 * - an error that prevented the delivery: return it after `failedDelaySeconds`
 */
export type MessageResult = Outcome | 'drained' | { readonly error: unknown };

type Results = Map<QueueMessage, MessageResult>;

/**
 * An invocation of the quick queue starts no attempt later. With ten messages of one endpoint and its parked deliveries, it would
 * otherwise occupy an execution for 15 s.
 */
const QUICK_BATCH_MS = 2_000;

/**
 * The slots for messages of each queue. Two attempts to an endpoint from two messages occupy two executions. A drain has both in
 * one.
 */
const SLOTS = { quick: [0, 1], slow: [0] } as const satisfies Readonly<Record<Lane, readonly Slot[]>>;

/** The settings of a batch. */
interface Batch {
  /** The queue of the messages. */
  readonly lane: Lane;
  /** Whether there is time for another attempt. */
  readonly mayStart: () => boolean;
}

/** The messages of one endpoint after their attempts. */
interface EndpointResults {
  readonly results: Results;
  /** The messages that no attempt was made for. */
  readonly unsent: readonly DeliveryMessage[];
  /** Why the first of them found no slot. Absent if there was no time for it. */
  readonly rejection?: 'contended' | 'waiting' | 'notQuick' | undefined;
  /** The endpoint, as the last message showed it. */
  readonly endpoint?: EndpointWithState | undefined;
  readonly hadSlot0: boolean;
  readonly isLong: boolean;
}

/** Delivers messages of one endpoint, one after another, until it takes no more. */
const deliverInOrder = async (
  messages: readonly DeliveryMessage[],
  dependencies: DeliverDependencies,
  { lane, mayStart }: Batch,
): Promise<EndpointResults> => {
  const results: Results = new Map();
  let lastEndpoint: EndpointWithState | undefined;
  let hadSlot0 = false;
  let isLong = false;
  let rejection: EndpointResults['rejection'];
  const left = [...messages];
  for (let [message] = left; message && !isLong && mayStart(); [message] = left) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the messages of one endpoint would compete for its two slots
      const delivered = await deliver(message, dependencies, { lane, slots: SLOTS[lane] });
      const { outcome, endpoint, ms = 0 } = delivered;
      if (outcome === 'contended' || outcome === 'waiting' || outcome === 'notQuick') {
        rejection = outcome;
        break;
      }
      results.set(message, outcome);
      lastEndpoint = endpoint ?? lastEndpoint;
      hadSlot0 ||= delivered.hadSlot0 === true;
      isLong = ms > LONG_MS;
    } catch (error) {
      results.set(message, { error });
    }
    left.shift();
  }
  return { results, unsent: left, rejection, endpoint: lastEndpoint, hadSlot0, isLong };
};

/**
 * Parks deliveries of an endpoint in the table: the breaker is open, no slot is free, or no time is left. The endpoint notes it
 * last. The holder of slot 0 reads that note when it releases the slot, and continues with the parked deliveries.
 *
 * @returns whether the caller must start the drain: no process holds slot 0, and the deliveries can go out or be dropped
 * @throws when DynamoDB is slow, throttles or is down
 */
const park = async (
  messages: readonly DeliveryMessage[],
  { deliveries, parkedDeliveries, endpointTimers, now, report }: DeliverDependencies,
): Promise<boolean> => {
  const [first] = messages;
  if (!first) return false;
  await inParallel(messages, WRITES_AT_ONCE, async (message) => {
    await deliveries.record(message, { status: 'waiting', next: { attempt: message.attempt } }, now());
  });
  await parkedDeliveries.add(messages);
  const endpoint = await endpointTimers.notePark(first.endpoint, now());
  for (const message of messages) report({ message, outcome: 'waiting' });
  return endpoint !== undefined && mayDrain(endpoint, now());
};

/**
 * Ends the messages that were not sent. Those that other writers kept from the endpoint return to the queue. Those of an endpoint
 * that is not quick move to the slow queue, by one call. All others are parked: the queue holds seconds of work, the table holds
 * what waits. Returns whether to start the drain.
 */
const endUnsent = async (
  { results, unsent, rejection }: EndpointResults,
  dependencies: DeliverDependencies,
): Promise<boolean> => {
  const end = (result: MessageResult): void => unsent.forEach((message) => void results.set(message, result));
  try {
    if (rejection === 'notQuick') await dependencies.queue.send(unsent);
    if (rejection === 'notQuick' || rejection === 'contended') {
      end(rejection);
      return false;
    }
    const starts = await park(unsent, dependencies);
    end('waiting');
    return starts;
  } catch (error) {
    end({ error });
    return false;
  }
};

/** Drains in this invocation, as far as there is time, and asks for another one to continue. */
const continueDrain = async (
  endpoint: EndpointRef,
  { isLong }: EndpointResults,
  dependencies: DeliverDependencies,
  batch: Batch,
): Promise<void> => {
  const drained = isLong ? 'unfinished' : await drain(endpoint, dependencies, batch);
  if (drained === 'drained') return;
  const lane = drained === 'notQuick' ? 'slow' : batch.lane;
  const delaySeconds = drained === 'contended' ? contendedDelaySeconds(dependencies.random()) : 0;
  await dependencies.queue.send([drainRequestOf(endpoint)], { lane, delaySeconds });
};

/** Handles the messages of one endpoint. */
const deliverToEndpoint = async (
  messages: readonly QueueMessage[],
  dependencies: DeliverDependencies,
  batch: Batch,
): Promise<Results> => {
  const requests = messages.filter(isDrainRequest);
  const deliveries = messages.flatMap((message) => (isDrainRequest(message) ? [] : message));
  // Test events come first: while the breaker is open, they are probes.
  const inOrder = deliveries.toSorted(
    (a, b) => Number(b.sequence === undefined) - Number(a.sequence === undefined),
  );
  const ofEndpoint = await deliverInOrder(inOrder, dependencies, batch);
  const { results, endpoint, hadSlot0 } = ofEndpoint;
  const starts = await endUnsent(ofEndpoint, dependencies);
  // A process that held slot 0 continues with what was parked meanwhile.
  const continues =
    hadSlot0 && endpoint !== undefined && hasParked(endpoint.state) && mayDrain(endpoint, dependencies.now());
  const [first] = messages;
  if (!first || !(starts || continues || requests.length > 0)) return results;
  try {
    await continueDrain(first.endpoint, ofEndpoint, dependencies, batch);
  } catch (error) {
    // `run-due` restarts the drain within a minute or two. Requests that returned would add up with those of `run-due`.
    logger.warn('drain', {
      outcome: 'failed',
      cause: describeFailure(error),
      ...embeddedMetrics({ mode: first.endpoint.mode }, { DeliveriesInterrupted: 1 }),
    });
  }
  for (const request of requests) results.set(request, 'drained');
  return results;
};

/**
 * Handles a batch of messages: those of one endpoint one after another, different endpoints at the same time.
 *
 * @param batch `mayStart`: whether there is time for another attempt, which takes up to 15 s. Default: always
 * @returns the result of each message, in the order of the messages
 */
export const deliverBatch = async (
  messages: readonly QueueMessage[],
  dependencies: DeliverDependencies,
  { lane, mayStart = () => true }: Pick<Batch, 'lane'> & Partial<Batch>,
): Promise<readonly MessageResult[]> => {
  const startMs = dependencies.now();
  const isInTime = (): boolean => lane === 'slow' || dependencies.now() - startMs < QUICK_BATCH_MS;
  const batch: Batch = { lane, mayStart: () => isInTime() && mayStart() };
  const groups = Map.groupBy(messages, ({ endpoint }) => endpoint.endpointId);
  const results = await Promise.all(
    [...groups.values()].map((group) => deliverToEndpoint(group, dependencies, batch)),
  );
  const resultOf = new Map(results.flatMap((ofGroup) => [...ofGroup]));
  return messages.map((message) => resultOf.get(message) ?? 'contended');
};
