import type { EventLog } from '../events/event-log.ts';
import type { Cart } from './cart.ts';

/** Stores abandonments of carts, each with its event. */
export interface AbandonmentStore {
  /**
   * Stores that a cart is abandoned since its `expiresAtMs`, and the event `cart.abandoned`, in one transaction. The stored
   * cart gets this `expiresAtMs` and a mark, so that no cart is abandoned twice.
   *
   * @returns `false` if another writer paid, abandoned or deleted the cart first. Nothing is stored then.
   * @throws as `EventLog.append`
   */
  save(cart: Cart, nowMs: number, signal?: AbortSignal): Promise<boolean>;
}

/**
 * Stores abandonments in a DynamoDB table of `cart-store.ts`.
 *
 * @param log the log of the carts' events
 */
export const createAbandonmentStore = (tableName: string, log: EventLog): AbandonmentStore => ({
  async save(cart, nowMs, signal) {
    const update = {
      TableName: tableName,
      Key: { id: cart.id },
      UpdateExpression: 'SET abandonmentRecordedAtMs = :now, expiresAtMs = :expiresAt',
      // A deleted cart has no status.
      ConditionExpression: '#status = :waiting AND attribute_not_exists(abandonmentRecordedAtMs)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':expiresAt': cart.expiresAtMs,
        ':waiting': 'waiting_payment',
      },
    };
    const event = { type: 'cart.abandoned', cart, cause: `expiry ${cart.expiresAtMs}` } as const;
    const appended = await log.append(cart, { event, writes: [{ Update: update }] }, signal);
    return appended.outcome === 'appended';
  },
});
