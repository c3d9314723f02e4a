import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import type { EndpointWithState } from '../endpoints/endpoint.ts';
import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';

/**
 * Parks deliveries of an endpoint in the table: the breaker is open, no slot is free, or no time is left. The endpoint notes it
 * last. The holder of slot 0 reads that note when it releases the slot, and continues with the parked deliveries.
 *
 * @returns the endpoint after that, if it still exists
 * @throws when DynamoDB is slow, throttles or is down
 */
export const park = async (
  messages: readonly DeliveryMessage[],
  { deliveries, parkedDeliveries, endpointTimers, now, report }: DeliverDependencies,
): Promise<EndpointWithState | undefined> => {
  const [first] = messages;
  if (!first) return undefined;
  await inParallel(messages, WRITES_AT_ONCE, async (message) => {
    await deliveries.record(message, { status: 'waiting', next: { attempt: message.attempt } }, now());
  });
  await parkedDeliveries.add(messages);
  const endpoint = await endpointTimers.notePark(first.endpoint, now());
  for (const message of messages) report({ message, outcome: 'waiting' });
  return endpoint;
};
