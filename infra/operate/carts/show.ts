import { duplicatePaymentIds } from '../../../lib/carts/cart-lifecycle.ts';
import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Run } from '../command.ts';
import { minorUnitsText, toMinorUnits } from '../../../lib/products/price.ts';
import { withIsoTimes } from '../output.ts';
import { cartJson } from './cart-json.ts';
import { describeCartEntry, readCartTimeline } from './cart-timeline.ts';
import type { SHOW_CART } from './commands.ts';

/** What is left to do about a duplicate payment. */
const describeDuplicate = (cart: Cart, paymentId: string): string => {
  const { amount, currency } = cart.price;
  const left = unitsLeft(cart, paymentId);
  if (left <= 0n) return `Duplicate payment ${paymentId}: refunded`;
  const rest =
    left < toMinorUnits(amount, currency) ? `, ${minorUnitsText(left, currency)} ${currency} are left` : '';
  return `Duplicate payment ${paymentId}: refund it${rest}`;
};

export const run: Run<typeof SHOW_CART> = async ({ cart }, context) => {
  const timeline = await readCartTimeline(cart, context);
  const nowMs = context.now();
  const { status, price, expiresAt, paymentId, latePayment, refundedAmount } = viewRetrievedCart(cart, nowMs);
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
      ...(refundedAmount === undefined ? [] : [`Refunded ${refundedAmount} ${price.currency}`]),
      ...duplicates.map((duplicate) => describeDuplicate(cart, duplicate)),
      ...timeline.map((entry) => `  ${describeCartEntry(entry)}`),
    ],
  };
};
