import { marshall } from '@aws-sdk/util-dynamodb';
import { fromRawCart, toCartItem } from '../../../lib/carts/cart-item.ts';
import { timerOfCart } from '../../../lib/carts/cart-timer.ts';
import { isErased } from '../../../lib/carts/cart.ts';
import type { RawItem } from '../../../lib/database/batch-get.ts';
import { erasedCart } from '../../../lib/erasures/erased-cart.ts';

/** An item as a restore writes it. */
export interface CopiedItem {
  readonly item: RawItem;
  /** Whether the copy leaves out buyer's data, because it was erased after the restored state. */
  readonly isErasedAgain?: boolean;
}

/**
 * The cart to copy. The expiry of a lost cart counts as recorded, so that its copy causes no second `cart.abandoned`. A cart of
 * the live table keeps the record of its expiry.
 */
export const withRecordedExpiry = (then: RawItem, live: RawItem | undefined, nowMs: number): RawItem => {
  if (live) {
    const { abandonmentRecordedAtMs, expiresAtMs } = live;
    return abandonmentRecordedAtMs && expiresAtMs ? { ...then, abandonmentRecordedAtMs, expiresAtMs } : then;
  }
  const isOpen = then['status']?.S === 'waiting_payment' && !then['abandonmentRecordedAtMs'];
  if (!isOpen || Number(then['expiresAtMs']?.N) > nowMs) return then;
  return { ...then, abandonmentRecordedAtMs: { N: String(nowMs) } };
};

/** An item without its timer, which follows from its state. A run may have postponed it. */
export const withoutTimer = ({ timer: _timer, timerAtMs: _timerAtMs, ...item }: RawItem): RawItem => item;

/** The copy of a cart, with the timer of its state. It has no buyer's data if the cart was erased since. */
export const cartToCopy = (
  item: RawItem,
  nowMs: number,
  hasErasure: (cartId: string) => boolean,
): CopiedItem => {
  const cart = fromRawCart(item);
  if (isErased(cart) || !hasErasure(cart.id)) {
    return { item: { ...withoutTimer(item), ...marshall(timerOfCart(cart) ?? {}) } };
  }
  const erased = marshall(toCartItem(erasedCart(cart, nowMs)), { removeUndefinedValues: true });
  return { item: erased, isErasedAgain: true };
};
