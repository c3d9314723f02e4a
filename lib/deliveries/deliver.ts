import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { TakeOptions } from './leases/leases.ts';
import type { Lane } from './queue/lanes.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';
import { bodyOf, freeOnError, sendUnderLease } from './send-under-lease.ts';
import { type Handled, storeAttempt, storeUnsent } from './store-result.ts';

interface DeliverOptions extends Pick<TakeOptions, 'slots'> {
  /** The queue of the message. Default: `slow` */
  readonly lane?: Lane;
  /** Whether the delivery is parked. It stays so until its outcome is stored. */
  readonly isParked?: boolean;
}

/**
 * Delivers one message: reads its event, takes a lease, sends one request, and stores the result, which frees the slot.
 *
 * @throws when DynamoDB or the queue is slow, throttles or is down, or if the endpoint lost its secret. Retry the message
 */
export const deliver = async (
  message: DeliveryMessage,
  dependencies: DeliverDependencies,
  { isParked = false, lane = 'slow', slots }: DeliverOptions = {},
): Promise<Handled> => {
  const body = await bodyOf(message, dependencies);
  if (body === undefined) return storeUnsent(message, { outcome: 'unknown' }, isParked, dependencies);
  const purpose = message.sequence === undefined ? 'test' : 'delivery';
  const lease = await dependencies.leases.take(message.endpoint, { slots, purpose, lane });
  if ('outcome' in lease) return storeUnsent(message, lease, isParked, dependencies);
  return freeOnError(lease, dependencies, async () => {
    const attempt = await sendUnderLease(message, body, lease, dependencies);
    return storeAttempt({ message, lease, isParked }, attempt, dependencies);
  });
};
