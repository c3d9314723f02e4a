import type { Command } from 'commander';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import type { Product } from '../../../lib/products/product.ts';
import { printable } from '../../command-line.ts';
import { describePrice } from '../../describe-price.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { type Columns, print, table } from '../output.ts';
import { findStage } from '../stage.ts';
import { assertStoreOfList } from '../stores/known-store.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
}

const COLUMNS: Columns<Product> = {
  ID: ({ id }) => id,
  STORE: ({ storeId }) => storeId,
  NAME: ({ name }) => name,
  PRICE: describePrice,
  AVAILABLE: ({ available }) => (available ? 'yes' : 'no'),
};

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const listProducts = async (host: Host, { store, json, ...flags }: ListFlags): Promise<void> => {
  const stage = await findStage(flags);
  const { documents, tableNames } = stage;
  const all = await createProductCatalogue(documents, tableNames.products).list();
  const products = all
    .flatMap(({ product }) =>
      product && (store === undefined || product.storeId === store) ? [product] : [],
    )
    .toSorted((a, b) => compare(a.storeId, b.storeId) || compare(a.id, b.id));
  await assertStoreOfList(stage, store, products);
  const unreadable = all.filter(({ product }) => !product).map(({ id }) => id);
  await print(host, json, { products, ...(unreadable.length > 0 && { unreadable }) }, [
    ...table(host, COLUMNS, products, 'There are no such products.'),
    ...unreadable.map((id) => `${printable(id)} is stored in an invalid form and cannot be sold.`),
  ]);
};

const HELP = `
Examples:
  npm run operate -- products list --store shop
  npm run --silent operate -- products list --stage prod --json > products.json

Even with --store, it reads the whole table of products: DynamoDB charges for all of it.`;

/** `products list`: lists the products of a stage. */
export const listProductsCommand = (host: Host): Command =>
  stageCommand('list', 'list products; reads the whole table', HELP)
    .option('--store <id>', 'only the products of this store', parseId)
    .action((flags: ListFlags) => listProducts(host, flags));
