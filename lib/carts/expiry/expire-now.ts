import type { Clock } from '../../core/clock.ts';
import type { CartRepository } from '../cart-repository.ts';
import type { Cart } from '../cart.ts';
import type { AbandonmentRepository } from './abandonment-repository.ts';

export interface ExpireNowDependencies {
  readonly carts: Pick<CartRepository, 'find'>;
  readonly abandonments: AbandonmentRepository;
  readonly now: Clock;
}

/**
 * - `expired`: the cart is now abandoned, and its `cart.abandoned` is recorded.
 * - `expiredBefore`: the cart was already abandoned, and its event recorded.
 * - `hasPayment`: a payment succeeded or failed before. The cart is unchanged.
 * - `unknown`: the cart is deleted.
 */
type ExpiredCart =
  | { readonly outcome: 'expired' | 'expiredBefore' | 'hasPayment'; readonly cart: Cart }
  | { readonly outcome: 'unknown' };

/** The cart with its expiry now, unless it has passed. The cart is deleted as much earlier. */
const endedAt = ({ deleteAtSeconds, ...cart }: Cart, nowMs: number): Cart => {
  const earlierByMs = Math.max(0, cart.expiresAtMs - nowMs);
  return {
    ...cart,
    expiresAtMs: cart.expiresAtMs - earlierByMs,
    ...(deleteAtSeconds !== undefined && {
      deleteAtSeconds: deleteAtSeconds - Math.floor(earlierByMs / 1_000),
    }),
  };
};

/**
 * Makes a waiting cart expire now, and records its abandonment in the same transaction. A cart that has expired keeps its
 * `expiresAtMs`. A repetition changes nothing. If `run-timers` still sees the timer, it finds the abandonment recorded, and only
 * clears the timer.
 *
 * @throws as `EventLog.append` and `CartRepository.find`
 */
export const expireNow = async (
  cart: Cart,
  dependencies: ExpireNowDependencies,
  signal: AbortSignal,
): Promise<ExpiredCart> => {
  if (cart.status !== 'waiting_payment') return { outcome: 'hasPayment', cart };
  if (cart.abandonmentRecordedAtMs !== undefined) return { outcome: 'expiredBefore', cart };
  const { carts, abandonments, now } = dependencies;
  const nowMs = now();
  const expired = endedAt(cart, nowMs);
  if (await abandonments.save(expired, nowMs, signal)) {
    return { outcome: 'expired', cart: { ...expired, abandonmentRecordedAtMs: nowMs } };
  }
  // Another writer was first. The cart that it stored returns above.
  const current = await carts.find(cart.id, signal);
  return current ? expireNow(current, dependencies, signal) : { outcome: 'unknown' };
};
