import { Command, Option } from 'commander';
import { createCartArchive } from '../../../lib/carts/cart-archive.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { type Cart, CART_STATUSES, type CartStatus } from '../../../lib/carts/cart.ts';
import { type CommonFlags, parseId, withCommonOptions } from '../options.ts';
import { isoTime, print, table } from '../output.ts';
import { findStage } from '../stage.ts';

interface ListFlags extends CommonFlags {
  readonly store: string;
  readonly status?: CartStatus;
}

/** One cart as `--json` tells it; the buyer is `carts show`'s to tell. */
const toJson = (cart: Cart, nowMs: number) => {
  const { status, updatedAtMs } = statusAt(cart, nowMs);
  return {
    id: cart.id,
    mode: cart.mode,
    status,
    createdAt: isoTime(cart.createdAtMs),
    updatedAt: isoTime(updatedAtMs),
    productId: cart.productId,
    price: cart.price,
    ...(cart.paymentId !== undefined && { paymentId: cart.paymentId }),
  };
};

const HEADING = ['ID', 'MODE', 'STATUS', 'CREATED (UTC)', 'PRODUCT', 'PRICE'];

const listCarts = async ({ store, status, json, ...flags }: ListFlags): Promise<void> => {
  const { documents, tableNames } = await findStage(flags);
  const nowMs = Date.now();
  const found = await createCartArchive(documents, tableNames.carts).search({
    storeId: store,
    status,
    nowMs,
  });
  const carts = found.toSorted((a, b) => b.createdAtMs - a.createdAtMs).map((cart) => toJson(cart, nowMs));
  const rows = carts.map((cart) => [
    cart.id,
    cart.mode,
    cart.status,
    cart.createdAt.slice(0, 16).replace('T', ' '),
    cart.productId,
    `${cart.price.amount} ${cart.price.currency}`,
  ]);
  print(json, { carts }, rows.length > 0 ? table(HEADING, rows) : ['There are no such carts.']);
};

const HELP = `
Examples:
  npm run operate -- carts list --store shop
  npm run operate -- carts list --store shop --status payment_failed --stage prod

It reads the whole table of carts, whatever the store: DynamoDB charges for all of it.`;

/** `carts list`: a store's carts, the newest first. */
export const listCommand = (): Command =>
  withCommonOptions(new Command('list'))
    .description("list a store's carts, the newest first; reads the whole table")
    .requiredOption('--store <id>', 'the store', parseId)
    .addOption(new Option('--status <status>', 'carts of this status only').choices(CART_STATUSES))
    .addHelpText('after', HELP)
    .action(listCarts);
