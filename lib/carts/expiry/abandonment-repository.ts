import { updateOf } from '../../database/expressions.ts';
import type { EventLog } from '../../events/event-log.ts';
import { TIMER_ATTRIBUTES } from '../../timers/timer.ts';
import { cartEvent, expiryCause } from '../cart-event.ts';
import { IS_NOT_ERASED, fromRawCart, IS_SAME_CART, sameCartValues } from '../cart-item.ts';
import { isErased, type Cart } from '../cart.ts';

const IS_WAITING = `${IS_SAME_CART} AND #status = :waiting AND attribute_not_exists(abandonmentRecordedAtMs)`;

/**
 * Stores abandonments in a DynamoDB table of `cart-repository.ts`, each with its event.
 *
 * @param log the log of the carts' events
 */
export const createAbandonmentRepository = (tableName: string, log: EventLog) => {
  /**
   * Stores that a cart is abandoned since its `expiresAtMs`, and the event `cart.abandoned`, in one transaction. The stored
   * cart gets this `expiresAtMs`, its `deleteAtSeconds` and a mark, so that no cart is abandoned twice. Its timer ends.
   *
   * @returns `false` if another writer paid, abandoned or deleted the cart first. Nothing is stored then.
   * @throws as `EventLog.append`
   */
  const save = async (cart: Cart, nowMs: number, signal?: AbortSignal): Promise<boolean> => {
    const { expiresAtMs, deleteAtSeconds } = cart;
    const changes = {
      set: { abandonmentRecordedAtMs: nowMs, expiresAtMs, deleteAtSeconds },
      remove: TIMER_ATTRIBUTES,
    };
    const update = {
      TableName: tableName,
      Key: { id: cart.id },
      ...updateOf(changes, {
        ConditionExpression: isErased(cart) ? IS_WAITING : `${IS_WAITING} AND ${IS_NOT_ERASED}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ...sameCartValues(cart, nowMs), ':waiting': 'waiting_payment' },
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const event = cartEvent({ type: 'cart.abandoned', cart, cause: expiryCause(cart) });
    const appended = await log.append(cart, { event, writes: [{ Update: update }] }, signal);
    if (appended.outcome === 'appended') return true;
    const stored = appended.reasons[0]?.Item;
    if (isErased(cart) || !stored) return false;
    const current = fromRawCart(stored);
    // The event must not have the data that was erased since the cart was read.
    return isErased(current) && save({ ...current, expiresAtMs, deleteAtSeconds }, nowMs, signal);
  };
  return { save };
};

export type AbandonmentRepository = ReturnType<typeof createAbandonmentRepository>;
