import { type Command, Option } from 'commander';
import type { Mode } from '../../../lib/api-keys/api-key.ts';
import { createCartArchive } from '../../../lib/carts/cart-archive.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { type Cart, CART_STATUSES, type CartStatus } from '../../../lib/carts/cart.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { findStage, type Stage } from '../stage.ts';
import { assertStoreOfList } from '../stores/known-store.ts';

interface ListFlags extends CommonFlags {
  readonly store: string;
  readonly mode?: Mode;
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

/** The tables that may have carts of a mode. An earlier release stored those of both modes in one table. */
const tablesOf = ({ carts, testCarts }: Stage['tableNames'], mode: Mode | undefined): string[] =>
  mode === 'live' ? [carts] : [carts, testCarts];

const listCarts = async (host: Host, { store, mode, status, json, ...flags }: ListFlags): Promise<void> => {
  const stage = await findStage(flags);
  const { documents, tableNames } = stage;
  const nowMs = host.now();
  const archive = createCartArchive(documents, tablesOf(tableNames, mode));
  const found = await archive.search({ storeId: store, mode, status, nowMs });
  await assertStoreOfList(stage, store, found);
  const carts = found.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const result = { carts: carts.map((cart) => toJson(cart, nowMs)) };
  await print(host, json, result, table(host, columnsAt(nowMs), carts, 'There are no such carts.'));
};

const HELP = `
Examples:
  npm run operate -- carts list --store shop
  npm run operate -- carts list --store shop --mode live --status payment_failed --stage prod

Even with --store, it reads whole tables of carts: DynamoDB charges for every item.`;

/** `carts list`: lists a store's carts, the newest first. */
export const listCartsCommand = (host: Host): Command =>
  stageCommand('list', "list a store's carts, the newest first; reads the whole tables", HELP)
    .requiredOption('--store <id>', 'the store', parseId)
    .addOption(new Option('--mode <mode>', 'only carts of this mode').choices(['live', 'test']))
    .addOption(new Option('--status <status>', 'only carts of this status').choices(CART_STATUSES))
    .action((flags: ListFlags) => listCarts(host, flags));
