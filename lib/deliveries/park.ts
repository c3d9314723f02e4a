import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import { mayDrain } from '../endpoints/breaker.ts';
import type { DeliverDependencies } from './deliver.ts';
import type { DeliveryMessage } from './delivery.ts';

/**
 * Parks deliveries of an endpoint in the table: the breaker is open, no slot is free, or no time is left. The endpoint notes it
 * last. The holder of slot 0 reads that note when it releases the slot, and continues with the parked deliveries.
 *
 * @returns whether the caller must start the drain: no process holds slot 0, and the deliveries can go out or be dropped
 * @throws when DynamoDB is slow, throttles or is down
 */
export const park = async (
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
