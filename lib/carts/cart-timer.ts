import { type Timer, timerOf } from '../timers/timer.ts';
import { type Cart, isErased } from './cart.ts';

/** Whether the service has yet to record the abandonment of a cart, now or at its expiry. */
export const awaitsExpiry = (cart: Pick<Cart, 'status' | 'abandonmentRecordedAtMs'>): boolean =>
  cart.status === 'waiting_payment' && cart.abandonmentRecordedAtMs === undefined;

/** Whether the retention has yet to erase the buyer's data of a cart. TTL deletes the carts that are not completed. */
export const awaitsErasure = (
  cart: Pick<Cart, 'completedAtMs' | 'personalDataErasedAtMs'>,
): cart is typeof cart & { readonly completedAtMs: number } =>
  cart.completedAtMs !== undefined && !isErased(cart);

/**
 * The timer of a cart's state. That of an erasure has the time of the completion: the run adds the retention, so a new
 * retention also applies to stored carts. Every write of a whole cart sets the timer that this function returns.
 */
export const timerOfCart = (cart: Cart): Timer | undefined => {
  if (awaitsExpiry(cart)) return timerOf('expiry', cart.id, cart.expiresAtMs);
  return awaitsErasure(cart) ? timerOf('erasure', cart.id, cart.completedAtMs) : undefined;
};
