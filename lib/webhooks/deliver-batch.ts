import { type DeliverDependencies, deliver } from './deliver.ts';
import type { DeliveryMessage } from './delivery.ts';
import { parkedTimer } from './timed-deliveries.ts';
import type { EndpointTimers } from './endpoint-timers.ts';

export interface BatchDependencies extends DeliverDependencies {
  readonly endpointTimers: Pick<EndpointTimers, 'notePark'>;
}

/**
 * The result of a message.
 *
 * - `done`: an attempt was made, or the message was parked or dropped. Delete it.
 * - `busy`: two requests to the endpoint are in flight, or no time is left. Try again after `busyDelaySeconds`.
 * - `failed`: `error` prevented the delivery. Try again after `busyDelaySeconds`.
 */
type MessageResult =
  | { readonly outcome: 'done' | 'busy' }
  | { readonly outcome: 'failed'; readonly error: unknown };

/** Whether a message can wait: that of an event. A ping does not. */
const isParkable = ({ sequence }: DeliveryMessage): boolean => sequence !== undefined;

/**
 * Parks deliveries of an endpoint whose breaker is open. The endpoint's timer comes last: the endpoint may have recovered, and
 * a drain may have ended, in the meantime.
 */
const park = async (
  messages: readonly DeliveryMessage[],
  { deliveries, endpointTimers, now, report }: BatchDependencies,
): Promise<void> => {
  const [first] = messages;
  if (!first) return;
  const nowMs = now();
  const parked = messages.map((message) => {
    const next = { attempt: message.attempt, timer: parkedTimer(message, nowMs) };
    return deliveries.record(message, { status: 'waiting', next }, nowMs);
  });
  await Promise.all(parked);
  await endpointTimers.notePark(first.endpoint, now());
  for (const message of messages) report({ message, outcome: 'waiting' });
};

const failed = (error: unknown): MessageResult => ({ outcome: 'failed', error });

/** Delivers messages of one endpoint, one after another. */
const deliverInOrder = async (
  messages: readonly DeliveryMessage[],
  dependencies: BatchDependencies,
  mayStart: () => boolean,
): Promise<ReadonlyMap<DeliveryMessage, MessageResult>> => {
  const results = new Map<DeliveryMessage, MessageResult>();
  const toPark: DeliveryMessage[] = [];
  for (const message of messages) {
    if (!mayStart()) break;
    // Once the breaker is open, it is open for the rest of the batch.
    if (toPark.length > 0 && isParkable(message)) {
      toPark.push(message);
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- the messages of one endpoint would compete for its two slots
    const result = await deliver(message, dependencies).then(
      (outcome): MessageResult | { readonly outcome: 'open' } => ({ outcome }),
      failed,
    );
    if (result.outcome === 'open') toPark.push(message);
    else results.set(message, result);
    if (result.outcome === 'busy') break;
  }
  const parked = await park(toPark, dependencies).then((): MessageResult => ({ outcome: 'done' }), failed);
  for (const message of toPark) results.set(message, parked);
  return results;
};

/**
 * Delivers a batch of messages: those of one endpoint one after another, different endpoints at the same time.
 *
 * @param mayStart whether there is time for another attempt, which takes up to 15 s. Default: always
 * @returns the result of each message, in the order of the messages
 */
export const deliverBatch = async (
  messages: readonly DeliveryMessage[],
  dependencies: BatchDependencies,
  mayStart: () => boolean = () => true,
): Promise<readonly MessageResult[]> => {
  const groups = Map.groupBy(messages, ({ endpoint }) => endpoint.endpointId);
  const results = await Promise.all(
    [...groups.values()].map((group) => deliverInOrder(group, dependencies, mayStart)),
  );
  const resultOf = new Map(results.flatMap((ofGroup) => [...ofGroup]));
  return messages.map((message) => resultOf.get(message) ?? { outcome: 'busy' });
};
