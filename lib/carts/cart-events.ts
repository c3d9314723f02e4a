import { channel } from 'node:diagnostics_channel';

/**
 * Publishes every stored `PaidCart` inside this process, for the local stage. A deployed stage reads the table's
 * stream instead.
 */
export const paidCarts = channel('cart-checkout.cart-paid');
