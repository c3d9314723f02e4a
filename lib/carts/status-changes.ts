import { channel } from 'node:diagnostics_channel';
import type { StatusChange } from './cart-lifecycle.ts';
import type { Cart } from './cart.ts';

/** A stored change of a cart's status, with the cart as it became. */
export interface StoredStatusChange {
  readonly cart: Cart;
  readonly change: StatusChange;
}

/**
 * Tells, inside this process, each change of a status once it is stored. The local stage listens; a deployed one is told by
 * the table's stream, and here nobody listens, which costs nothing.
 */
export const statusChanges = channel('cart-checkout.status-changed');
