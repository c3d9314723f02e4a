import { channel } from 'node:diagnostics_channel';

/**
 * Publishes every `Cart` that this process creates, for the local stage. A deployed stage reads the streams of the carts'
 * tables instead.
 */
export const createdCarts = channel('cart-checkout.cart-created');
