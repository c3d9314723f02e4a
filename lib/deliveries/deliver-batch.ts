import type { Slot } from '../endpoints/lease-slots.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import { deliver } from './deliver.ts';
import { drain, type Invocation } from './drain.ts';
import { park } from './park.ts';
import { needsDrain } from './parking/drain-need.ts';
import type { Lane } from './queue/lanes.ts';
import { type DeliveryMessage, isDrainRequest, type QueueMessage } from './queue/queue-message.ts';
import type { Outcome } from './records/delivery.ts';
import { LONG_MS } from './sending/schedule.ts';
import type { Handled } from './store-result.ts';

// 1. `deliverBatch` groups messages by endpoint. It gives those of an endpoint to `deliver`, one after another.
// 2. `deliver` takes a slot of the endpoint, sends the message, and releases the slot with the result.
// 3. `park` stores a message that finds no slot, or that an open breaker holds back.
// 4. `drain` sends parked deliveries while it holds slot 0. A request in the queue continues a drain whose time is over, and
//    `createProbeJob` asks for one when a probe is due, or a process has died.

/**
 * The result of a message:
 *
 * - `ended`: delete the message, a drain request.
 * - any outcome except `contended`: delete the message. The slow queue has a copy of a `notQuick` one.
 * - `contended`: return it after `contendedDelaySeconds`.
 * - an error that prevented the delivery: return it after `failedDelaySeconds`.
 */
export type MessageResult = Outcome | 'ended' | { readonly error: unknown };

/** Whether a message with this result must return to the queue. */
export const returnsToQueue = (result: MessageResult): boolean =>
  typeof result === 'object' || result === 'contended';

type Results = readonly (readonly [QueueMessage, MessageResult])[];

/**
 * An invocation of the quick queue starts no attempt later. With ten messages of one endpoint and its parked deliveries, it would
 * otherwise occupy an execution for 15 s.
 */
const QUICK_BATCH_MS = 2_000;

/**
 * The slots for messages of each queue. Two attempts to an endpoint from two messages occupy two executions. A drain has both in
 * one.
 */
const SLOTS_OF_LANE = { quick: [0, 1], slow: [0] } as const satisfies Readonly<Record<Lane, readonly Slot[]>>;

/** A message that was handled, or that an error kept from being handled. */
type HandledMessage = Handled<MessageResult>;

/** The results of a message that was not sent. Those behind it would not be either. */
const UNSENT: ReadonlySet<MessageResult> = new Set<Outcome>(['contended', 'waiting', 'notQuick']);

const isLong = ({ ms = 0 }: HandledMessage): boolean => ms > LONG_MS;

/** Delivers a message of a queue. Its result may be an error. */
const tryDeliver = async (
  message: DeliveryMessage,
  dependencies: DeliverDependencies,
  lane: Lane,
): Promise<HandledMessage> => {
  try {
    return await deliver(message, dependencies, { lane, slots: SLOTS_OF_LANE[lane] });
  } catch (error) {
    return { outcome: { error } };
  }
};

/**
 * Delivers messages of one endpoint, one after another, until it takes no more or the time is over.
 *
 * @returns `handled`: the results of the first messages, in order. `unsent`: why the next one was not sent, absent if the time was
 *   over
 */
const deliverInOrder = async (
  messages: readonly DeliveryMessage[],
  dependencies: DeliverDependencies,
  { lane, mayStart }: Invocation,
): Promise<{ readonly handled: readonly HandledMessage[]; readonly unsent?: MessageResult }> => {
  const handled: HandledMessage[] = [];
  for (const message of messages) {
    if (handled.some(isLong) || !mayStart()) break;
    // oxlint-disable-next-line no-await-in-loop -- the messages of one endpoint would compete for its two slots
    const tried = await tryDeliver(message, dependencies, lane);
    if (UNSENT.has(tried.outcome)) return { handled, unsent: tried.outcome };
    handled.push(tried);
  }
  return { handled };
};

/**
 * Ends the messages that were not sent. Those that other writers kept from the endpoint return to the queue. Those of an endpoint
 * that is not quick move to the slow queue, by one call. All others are parked: the queue holds seconds of work, the table holds
 * what waits.
 */
const requeueOrPark = async (
  messages: readonly DeliveryMessage[],
  reason: MessageResult | undefined,
  dependencies: DeliverDependencies,
): Promise<HandledMessage> => {
  try {
    if (reason === 'notQuick') await dependencies.queue.send(messages);
    if (reason === 'notQuick' || reason === 'contended') return { outcome: reason };
    return { outcome: 'waiting', endpoint: await park(messages, dependencies) };
  } catch (error) {
    return { outcome: { error } };
  }
};

/** Handles the messages of one endpoint. */
const deliverToEndpoint = async (
  messages: readonly QueueMessage[],
  dependencies: DeliverDependencies,
  invocation: Invocation,
): Promise<Results> => {
  const requests = messages.filter(isDrainRequest);
  // Test events come first: while the breaker is open, they are probes.
  const deliveries = messages
    .flatMap((message) => (isDrainRequest(message) ? [] : message))
    .toSorted((a, b) => Number(b.sequence === undefined) - Number(a.sequence === undefined));
  const { handled, unsent } = await deliverInOrder(deliveries, dependencies, invocation);
  const rest = await requeueOrPark(deliveries.slice(handled.length), unsent, dependencies);
  // As seen last. Others may have parked deliveries while an attempt held the slot.
  const endpoint = [...handled, rest].findLast(({ endpoint: seen }) => seen)?.endpoint;
  const [first] = messages;
  if (first && (requests.length > 0 || (endpoint && needsDrain(endpoint, dependencies.now())))) {
    const mayStart = (): boolean => !handled.some(isLong) && invocation.mayStart();
    await drain(first.endpoint, dependencies, { lane: invocation.lane, mayStart });
  }
  return [
    ...deliveries.map((message, index) => [message, handled[index]?.outcome ?? rest.outcome] as const),
    ...requests.map((request) => [request, 'ended'] as const),
  ];
};

/**
 * Handles a batch of messages: those of one endpoint one after another, different endpoints at the same time.
 *
 * @returns the result of each message
 */
export const deliverBatch = async (
  messages: readonly QueueMessage[],
  dependencies: DeliverDependencies,
  { lane, mayStart }: Invocation,
): Promise<ReadonlyMap<QueueMessage, MessageResult>> => {
  const startMs = dependencies.now();
  const isInTime = (): boolean => lane === 'slow' || dependencies.now() - startMs < QUICK_BATCH_MS;
  const invocation: Invocation = { lane, mayStart: () => isInTime() && mayStart() };
  const groups = Map.groupBy(messages, ({ endpoint }) => endpoint.endpointId);
  const results = await Promise.all(
    [...groups.values()].map((group) => deliverToEndpoint(group, dependencies, invocation)),
  );
  return new Map(results.flat());
};
