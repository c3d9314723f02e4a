import type { Product } from '../../../lib/products/product.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import { by, ifAny, ofStore } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { describePrice } from '../shared/describe-price.ts';
import type { PRODUCTS } from './commands.ts';
import { COLUMN_OF_PATH, describeIssue } from './product-file.ts';
import { parseProduct } from './product-schema.ts';

export { importProducts as import } from './import.ts';

export const put: Action<typeof PRODUCTS.put> = async (options, { repositories, change }) => {
  const { id, store: storeId, name, currency, price, minimum, suggested, unavailable } = options;
  const pricing =
    price === undefined ? { type: 'free', minimum, suggested } : { type: 'fixed', amount: price };
  const parsed = parseProduct({ id, storeId, name, available: !unavailable, currency, pricing });
  if (!parsed.ok) {
    // Each column of a file has an option.
    throw new UsageError(
      parsed.issues.map((issue) => `--${describeIssue(issue, COLUMN_OF_PATH)}.`).join(' '),
    );
  }
  const { product } = parsed;
  await change({ productId: id, storeId }, async () => {
    if ((await repositories.products.put(product)) === 'stored') return;
    throw new OperatorError(
      `The product ${id} belongs to another store: choose another id, because all stores share the ids.`,
    );
  });
  const sale = product.available ? '' : ', unavailable';
  return {
    json: product,
    lines: [`Stored the product ${id} of ${storeId}: ${describePrice(product)}${sale}.`],
  };
};

const COLUMNS: Columns<Product> = {
  ID: ({ id }) => id,
  STORE: ({ storeId }) => storeId,
  NAME: ({ name }) => name,
  PRICE: describePrice,
  AVAILABLE: ({ available }) => (available ? 'yes' : 'no'),
};

export const list: Action<typeof PRODUCTS.list> = async ({ store }, { repositories, stdout }) => {
  const all = await repositories.products.listAll();
  const readable = all.flatMap(({ product }) => product ?? []);
  const products = ofStore(store, readable).toSorted(by(({ storeId, id }) => `${storeId} ${id}`));
  const unreadable = all.filter(({ product }) => !product).map(({ id }) => id);
  return {
    json: { products, unreadable: ifAny(unreadable) },
    lines: [
      ...table(stdout, COLUMNS, products, 'There are no such products.'),
      ...unreadable.map((id) => `${id} is stored in an invalid form and cannot be sold.`),
    ],
  };
};

const setAvailable =
  (available: boolean): Action<typeof PRODUCTS.enable> =>
  async ({ id }, { repositories, change }) => {
    await change({ productId: id }, async () => {
      const outcome = await repositories.products.setAvailable(id, available);
      if (outcome === 'unknown') throw new OperatorError(`No product has the id ${id}.`);
    });
    return { json: { id, available }, lines: [`The product ${id} is ${available ? 'on' : 'off'} sale.`] };
  };

export const enable = setAvailable(true);
export const disable = setAvailable(false);
