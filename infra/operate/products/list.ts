import type { Product } from '../../../lib/products/product.ts';
import { describePrice } from '../../describe-price.ts';
import type { Run } from '../command.ts';
import { byParts, type Columns, ifAny, table } from '../output.ts';
import type { LIST_PRODUCTS } from './commands.ts';

const COLUMNS: Columns<Product> = {
  ID: ({ id }) => id,
  STORE: ({ storeId }) => storeId,
  NAME: ({ name }) => name,
  PRICE: describePrice,
  AVAILABLE: ({ available }) => (available ? 'yes' : 'no'),
};

export const run: Run<typeof LIST_PRODUCTS> = async ({ store }, { stores }) => {
  const all = await stores.products.list();
  const products = all
    .flatMap(({ product }) => product ?? [])
    .filter(({ storeId }) => store === undefined || storeId === store)
    .toSorted(byParts(({ storeId, id }) => [storeId, id]));
  const unreadable = all.filter(({ product }) => !product).map(({ id }) => id);
  return {
    json: { products, ...ifAny('unreadable', unreadable) },
    lines: [
      ...table(COLUMNS, products, 'There are no such products.'),
      ...unreadable.map((id) => `${id} is stored in an invalid form and cannot be sold.`),
    ],
  };
};
