import { type Command, Option } from 'commander';
import { createCartArchive } from '../../../lib/carts/cart-archive.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { type Cart, CART_STATUSES, type CartStatus } from '../../../lib/carts/cart.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { findStage } from '../stage.ts';

interface ListFlags extends CommonFlags {
  readonly store: string;
  readonly status?: CartStatus;
}

/** A cart in the JSON, without its buyer. */
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
    paymentId: cart.paymentId,
  };
};

const columnsAt = (nowMs: number): Columns<Cart> => ({
  ID: ({ id }) => id,
  MODE: ({ mode }) => mode,
  STATUS: (cart) => statusAt(cart, nowMs).status,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
  PRODUCT: ({ productId }) => productId,
  PRICE: ({ price }) => `${price.amount} ${price.currency}`,
});

const listCarts = async (host: Host, { store, status, json, ...flags }: ListFlags): Promise<void> => {
  const { documents, tableNames } = await findStage(flags);
  const nowMs = host.now();
  const archive = createCartArchive(documents, tableNames.carts);
  const found = await archive.search({ storeId: store, status, nowMs });
  const carts = found.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const result = { carts: carts.map((cart) => toJson(cart, nowMs)) };
  await print(host, json, result, table(host, columnsAt(nowMs), carts, 'There are no such carts.'));
};

const HELP = `
Examples:
  npm run operate -- carts list --store shop
  npm run operate -- carts list --store shop --status payment_failed --stage prod

Even with --store, it reads the whole table of carts: DynamoDB charges for all of it.`;

/** `carts list`: lists a store's carts, the newest first. */
export const listCartsCommand = (host: Host): Command =>
  stageCommand('list', "list a store's carts, the newest first; reads the whole table", HELP)
    .requiredOption('--store <id>', 'the store', parseId)
    .addOption(new Option('--status <status>', 'only carts of this status').choices(CART_STATUSES))
    .action((flags: ListFlags) => listCarts(host, flags));
