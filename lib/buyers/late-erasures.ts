import type { Cart } from '../carts/cart.ts';
import type { Clock } from '../core/clock.ts';
import { isErased } from './erased-cart.ts';
import type { ErasureSchedule } from './erasure-schedule.ts';

/**
 * The service reads a cart once, soon after its expiry, and schedules the erasure of a completed one. A payment that begins
 * this long before the expiry is stored by then. Its calls take at most a few seconds, and clocks differ by about a second.
 */
const MARGIN_MS = 60_000;

/** Schedules the erasures of carts that are completed late. */
export interface LateErasures {
  /**
   * Schedules the erasure of a cart that is about to be completed, if its expiry may have been handled before. Call it before
   * the cart is stored, so that a crash loses no erasure. The run skips the cart if the payment then fails.
   *
   * @throws any error of the SDK when DynamoDB is slow, throttles or is down
   */
  schedule(cart: Cart, signal?: AbortSignal): Promise<void>;
}

/** Late erasures in a schedule. A payment before the expiry costs no call. */
export const createLateErasures = (schedule: Pick<ErasureSchedule, 'put'>, now: Clock): LateErasures => ({
  async schedule(cart, signal) {
    const nowMs = now();
    if (isErased(cart) || nowMs < cart.expiresAtMs - MARGIN_MS) return;
    // The entry of an earlier day could be due already, and a run would find the cart not yet completed.
    const updatedAtMs = Math.max(cart.updatedAtMs, nowMs);
    await schedule.put([{ ...cart, updatedAtMs }], signal);
  },
});
