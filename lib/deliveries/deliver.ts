import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { Lease, TakeOptions } from './leases/leases.ts';
import type { Lane } from './queue/lanes.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';
import { freeOnError, sendUnderLease } from './send-under-lease.ts';
import { type Handled, storeAttempt, storeUnsent } from './store-result.ts';

interface LeasedOptions {
  /** Whether the delivery is parked. It stays so until its outcome is stored. */
  readonly isParked: boolean;
  /** Other work of the caller. The slot stays held until it has ended, too. */
  readonly meanwhile?: Promise<unknown> | undefined;
}

/**
 * Delivers one message under a lease: sends one request, and stores the result, which frees the slot. The caller frees it after
 * an error.
 *
 * @throws as {@link deliver}. An error of `meanwhile` is left to the caller
 */
export const deliverUnderLease = async (
  message: DeliveryMessage,
  lease: Lease,
  dependencies: DeliverDependencies,
  { isParked, meanwhile }: LeasedOptions,
): Promise<Handled> => {
  const sending = sendUnderLease(message, lease, dependencies);
  // Wait for both even after an error: Lambda freezes a process that has returned.
  await Promise.allSettled([sending, meanwhile]);
  const sent = await sending;
  if (!('outcome' in sent)) return storeAttempt({ message, lease, isParked }, sent, dependencies);
  const unsent = await storeUnsent(message, sent, isParked, dependencies);
  return { ...unsent, endpoint: await dependencies.leases.free(lease) };
};

interface DeliverOptions extends Pick<TakeOptions, 'slots'>, Partial<Pick<LeasedOptions, 'isParked'>> {
  /** The queue of the message. Default: `slow` */
  readonly lane?: Lane;
}

/**
 * Takes a lease for a message, and delivers it.
 *
 * @throws when DynamoDB or the queue is slow, throttles or is down, or if the endpoint lost its secret. Retry the message
 */
export const deliver = async (
  message: DeliveryMessage,
  dependencies: DeliverDependencies,
  { isParked = false, lane = 'slow', slots }: DeliverOptions = {},
): Promise<Handled> => {
  const purpose = message.sequence === undefined ? 'test' : 'delivery';
  const lease = await dependencies.leases.take(message.endpoint, { slots, purpose, lane });
  if ('outcome' in lease) return storeUnsent(message, lease, isParked, dependencies);
  return freeOnError(lease, dependencies, () =>
    deliverUnderLease(message, lease, dependencies, { isParked }),
  );
};
