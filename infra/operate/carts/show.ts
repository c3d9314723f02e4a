import type { Command } from 'commander';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { duplicatePaymentIds } from '../../../lib/carts/cart-lifecycle.ts';
import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { type TimelineEntry, timelineOf } from '../../../lib/carts/timeline.ts';
import { printable, UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { findStage } from '../stage.ts';
import { allCarts } from './all-carts.ts';

const toJson = (cart: Cart, nowMs: number) => ({
  ...viewRetrievedCart(cart, nowMs),
  storeId: cart.storeId,
  mode: cart.mode,
  productId: cart.productId,
  redirectUrl: cart.redirectUrl,
  duplicatePaymentIds: duplicatePaymentIds(cart),
  timeline: timelineOf(cart, nowMs).map(({ atMs, ...entry }) => ({ at: isoTime(atMs), ...entry })),
});

const describeEntry = (entry: TimelineEntry): string => {
  const at = isoTime(entry.atMs);
  if (!('payment' in entry)) return `${at}  ${entry.what}`;
  const { paymentId, amount, currency, eventId } = entry.payment;
  return `${at}  ${entry.what}  ${amount} ${currency}, payment ${paymentId}, event ${printable(eventId)}`;
};

const showCart = async (host: Host, id: string, { json, ...flags }: CommonFlags): Promise<void> => {
  const cartId = parseCartId(id);
  if (cartId === undefined) throw new UsageError('A cart id is a UUID, as in the response to its creation.');
  const cart = await allCarts(await findStage(flags)).find(cartId);
  if (!cart) throw new OperatorError(`No cart has the id ${cartId}.`);
  const nowMs = host.now();
  const { status, price, expiresAt, paymentId, latePayment } = viewRetrievedCart(cart, nowMs);
  await print(host, json, toJson(cart, nowMs), [
    `Cart ${cart.id} of ${cart.storeId}, ${cart.mode} mode: ${status}${latePayment ? ', paid late' : ''}`,
    `Product ${cart.productId} (${printable(cart.productName)}), ${price.amount} ${price.currency}`,
    `Expires ${expiresAt}${paymentId === undefined ? '' : `, payment ${paymentId}`}`,
    ...duplicatePaymentIds(cart).map((duplicate) => `Duplicate payment ${duplicate}: give it back`),
    ...timelineOf(cart, nowMs).map((entry) => `  ${describeEntry(entry)}`),
  ]);
};

const HELP = `
Example:
  npm run operate -- carts show 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --stage prod

With --json, it also shows the buyer.`;

/** `carts show`: shows a cart of any store and mode, with its timeline. */
export const showCartCommand = (host: Host): Command =>
  stageCommand('show', 'show a cart and its timeline', HELP)
    .argument('<id>', 'the id of the cart')
    .action((id: string, flags: CommonFlags) => showCart(host, id, flags));
