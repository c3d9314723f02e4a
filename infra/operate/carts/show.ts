import type { Command } from 'commander';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { duplicatePaymentIds } from '../../../lib/carts/cart-lifecycle.ts';
import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { printable, UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { findStage } from '../stage.ts';
import { allCarts } from './all-carts.ts';
import { cartJson } from './cart-json.ts';
import { type CartEntry, describeCartEntry, readCartTimeline } from './cart-timeline.ts';

const toJson = (cart: Cart, timeline: readonly CartEntry[], nowMs: number) => ({
  ...cartJson(cart, nowMs),
  duplicatePaymentIds: duplicatePaymentIds(cart),
  timeline: timeline.map(({ atMs, ...entry }) => ({ at: isoTime(atMs), ...entry })),
});

const showCart = async (host: Host, id: string, { json, ...flags }: CommonFlags): Promise<void> => {
  const cartId = parseCartId(id);
  if (cartId === undefined) throw new UsageError('A cart id is a UUID, as in the response to its creation.');
  const stage = await findStage(flags);
  const cart = await allCarts(stage, host.now).find(cartId);
  if (!cart) throw new OperatorError(`No cart has the id ${cartId}.`);
  const timeline = await readCartTimeline(host, stage, cart);
  const nowMs = host.now();
  const { status, price, expiresAt, paymentId, latePayment } = viewRetrievedCart(cart, nowMs);
  await print(host, json, toJson(cart, timeline, nowMs), [
    `Cart ${cart.id} of ${cart.storeId}, ${cart.mode} mode: ${status}${latePayment ? ', paid late' : ''}`,
    `Product ${cart.productId} (${printable(cart.productName)}), ${price.amount} ${price.currency}`,
    `Expires ${expiresAt}${paymentId === undefined ? '' : `, payment ${paymentId}`}`,
    ...duplicatePaymentIds(cart).map((duplicate) => `Duplicate payment ${duplicate}: refund it`),
    ...timeline.map((entry) => `  ${describeCartEntry(entry)}`),
  ]);
};

const HELP = `
Example:
  npm run operate -- carts show 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --stage prod

The timeline has the payments, the events about the cart and their deliveries, in the order of time. Events and deliveries
stay for 30 days. If a payment caused no event, the command reads the store's log from the payment to the end. It states the
cost first if that takes more than 1,000 events. Ctrl-C ends the read. With --json, it also shows the buyer.`;

/** `carts show`: shows a cart of any store and mode, with its timeline. */
export const showCartCommand = (host: Host): Command =>
  stageCommand('show', 'show a cart with its payments, events and deliveries', HELP)
    .argument('<id>', 'the id of the cart')
    .action((id: string, flags: CommonFlags) => showCart(host, id, flags));
