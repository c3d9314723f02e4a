import { Command } from 'commander';
import { createProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import type { Product } from '../../../lib/products/product.ts';
import { type CommonFlags, parseId, withCommonOptions } from '../options.ts';
import { print, printable, table } from '../output.ts';
import { findStage } from '../stage.ts';
import { describePrice } from './describe.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
}

const HEADING = ['ID', 'STORE', 'NAME', 'PRICE', 'AVAILABLE'];

const toRow = (product: Product): string[] => [
  product.id,
  product.storeId,
  product.name,
  describePrice(product),
  product.available ? 'yes' : 'no',
];

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const listProducts = async ({ store, json, ...stage }: ListFlags): Promise<void> => {
  const { documents, tableNames } = await findStage(stage);
  const all = await createProductCatalogue(documents, tableNames.products).list();
  const products = all
    .flatMap(({ product }) =>
      product && (store === undefined || product.storeId === store) ? [product] : [],
    )
    .toSorted((a, b) => compare(a.storeId, b.storeId) || compare(a.id, b.id));
  const unreadable = all.filter(({ product }) => !product).map(({ id }) => id);
  print(json, { products, ...(unreadable.length > 0 && { unreadable }) }, [
    ...(products.length > 0 ? table(HEADING, products.map(toRow)) : ['There are no such products.']),
    ...unreadable.map((id) => `${printable(id)} is stored in a shape that is no product's.`),
  ]);
};

const HELP = `
Examples:
  npm run operate -- products list --store shop
  npm run --silent operate -- products list --stage prod --json > products.json

It reads the whole table of products, whatever the store: DynamoDB charges for all of it.`;

/** `products list`: the products of a stage. */
export const listCommand = (): Command =>
  withCommonOptions(new Command('list'))
    .description('list products; reads the whole table')
    .option('--store <id>', 'the products of this store only', parseId)
    .addHelpText('after', HELP)
    .action(listProducts);
