import { duplicatePaymentIds } from '../../../lib/carts/cart-lifecycle.ts';
import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Action } from '../command.ts';
import { withIsoTimes } from '../output.ts';
import { cartJson } from './cart-json.ts';
import { describeCartEntry, readCartTimeline } from './cart-timeline.ts';
import type { CARTS } from './commands.ts';

export const run: Action<typeof CARTS.show> = async ({ cart }, context) => {
  const timeline = await readCartTimeline(cart, context);
  const nowMs = context.now();
  const { status, price, expiresAt, paymentId, latePayment } = viewRetrievedCart(cart, nowMs);
  const duplicates = duplicatePaymentIds(cart);
  return {
    json: {
      ...cartJson(cart, nowMs),
      duplicatePaymentIds: duplicates,
      timeline: timeline.map(withIsoTimes),
    },
    lines: [
      `Cart ${cart.id} of ${cart.storeId}, ${cart.mode} mode: ${status}${latePayment ? ', paid late' : ''}`,
      `Product ${cart.productId} (${cart.productName}), ${price.amount} ${price.currency}`,
      `Expires ${expiresAt}${paymentId === undefined ? '' : `, payment ${paymentId}`}`,
      ...duplicates.map((duplicate) => `Duplicate payment ${duplicate}: refund it`),
      ...timeline.map((entry) => `  ${describeCartEntry(entry)}`),
    ],
  };
};
