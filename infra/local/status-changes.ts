import { type StoredStatusChange, statusChanges } from '../../lib/carts/status-changes.ts';
import type { StatusChanged } from '../status-changed-event.ts';

/** The event that the pipe of a deployed stage makes from a stream record. */
const toEvent = ({ cart, change }: StoredStatusChange): StatusChanged => ({
  cartId: cart.id,
  storeId: cart.storeId,
  mode: cart.mode,
  from: change.from,
  to: change.to,
  paymentId: cart.paymentId ?? '',
  occurredAt: change.occurredAt,
});

/**
 * Reports each change of a cart's status that this process stores. It reads no stream: each record of a stream slows down
 * the writes of the embedded DynamoDB.
 *
 * @returns a function that ends the reports
 */
export const watchStatusChanges = (report: (change: StatusChanged) => void): (() => void) => {
  const listen = (message: unknown): void => report(toEvent(message as StoredStatusChange));
  statusChanges.subscribe(listen);
  return () => statusChanges.unsubscribe(listen);
};
