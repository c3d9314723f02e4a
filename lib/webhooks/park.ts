import { mayDrain } from './breaker.ts';
import type { DeliverDependencies } from './deliver.ts';
import type { DeliveryMessage } from './delivery.ts';

/**
 * Parks deliveries of an endpoint in the table: the breaker is open, or they found no free slot. The endpoint notes it last. The
 * holder of slot 0 reads that note when it releases the slot, and continues with the parked deliveries.
 *
 * @returns whether no process holds slot 0, although the deliveries could go out: the caller starts the drain
 */
export const park = async (
  messages: readonly DeliveryMessage[],
  { deliveries, parkedDeliveries, endpointTimers, now, report }: DeliverDependencies,
): Promise<boolean> => {
  const [first] = messages;
  if (!first) return false;
  const parked = messages.map(async (message) => {
    await deliveries.record(message, { status: 'waiting', next: { attempt: message.attempt } }, now());
    await parkedDeliveries.add(message);
  });
  await Promise.all(parked);
  const endpoint = await endpointTimers.notePark(first.endpoint, now());
  for (const message of messages) report({ message, outcome: 'waiting' });
  return endpoint !== undefined && mayDrain(endpoint, now());
};
