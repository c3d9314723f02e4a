import { type StoredStatusChange, statusChanges } from '../../lib/carts/status-changes.ts';
import type { StatusChanged } from '../status-changed-event.ts';

/** The event that a deployed stage's pipe makes of the record that such a write leaves in the table's stream. */
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
 * Tells every change of a cart's status that this process stores from now on. Not from the table's stream: the embedded
 * DynamoDB's writes slow down with every record of one.
 *
 * @returns what ends it
 */
export const watchStatusChanges = (tell: (change: StatusChanged) => void): (() => void) => {
  const listen = (message: unknown): void => tell(toEvent(message as StoredStatusChange));
  statusChanges.subscribe(listen);
  return () => statusChanges.unsubscribe(listen);
};
