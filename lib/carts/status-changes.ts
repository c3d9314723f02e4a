import { channel } from 'node:diagnostics_channel';
import type { StatusChange } from './cart-lifecycle.ts';
import type { Cart } from './cart.ts';

/** A stored change of a cart's status, and the cart after it. */
export interface StoredStatusChange {
  readonly cart: Cart;
  readonly change: StatusChange;
}

/**
 * Publishes every stored status change inside this process, for the local stage. A deployed stage reads the table's
 * stream instead.
 */
export const statusChanges = channel('cart-checkout.status-changed');
