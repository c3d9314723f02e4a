import { createProductImport, type ProductImport } from '../../../lib/products/product-import.ts';
import type { Product } from '../../../lib/products/product.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action, Context, Result } from '../command.ts';
import { showProgress } from '../progress.ts';
import { findUnknownStores } from '../stores/stores.ts';
import { EXAMPLE_CSV, LISTED_ROWS_MAX, type PRODUCTS } from './commands.ts';
import { exampleProducts, productsOf, readProductFile, rejectRows, type Row } from './product-file.ts';

/** Rejects each product of an unknown store, and each with the id of another store's product, which it would replace. */
const rejectByStage = async (
  rows: readonly Row[],
  products: ProductImport,
  { stores, stderr }: Context,
): Promise<readonly Row[]> => {
  using progress = showProgress({ stderr }, 'Checking');
  const read = productsOf(rows);
  const storeIds = read.map(({ storeId }) => storeId);
  const unknown = await findUnknownStores(stores, storeIds);
  const ids = read.map(({ id }) => id);
  const owners = await products.findOwners(ids, (done) => progress.update(done, ids.length));
  return rejectRows(rows, ({ id, storeId }) => {
    if (unknown.has(storeId)) return `there is no store ${storeId}: ${unknown.get(storeId)}`;
    const isForeign = (owners.get(id) ?? storeId) !== storeId;
    return isForeign ? 'id belongs to another store already: choose another one' : undefined;
  });
};

const REMEDY = 'run the same command again to store the rest';

/** Stores the products. The first Ctrl-C waits for the batches under way. */
const storeAll = async (
  all: readonly Product[],
  products: ProductImport,
  { say, stderr, stopSignal }: Context,
): Promise<void> => {
  const total = counted(all.length, 'product');
  let storedMin = 0;
  const putAll = async () => {
    using progress = showProgress({ stderr }, 'Storing');
    const onProgress = (stored: number): void => {
      storedMin = stored;
      progress.update(stored, all.length);
    };
    return await products.putMany(all, { signal: stopSignal(), onProgress });
  };
  const { stored, end } = await putAll().catch((error: unknown) => {
    say(`Stored at least ${storedMin} of ${total}: ${REMEDY}.`);
    throw error;
  });
  if (end === 'complete') return;
  const event = end === 'stopped' ? 'Stopped' : 'DynamoDB kept throttling';
  throw new OperatorError(`${event} after ${stored} of ${total}: ${REMEDY}.`);
};

/** The result if products are invalid: all bad rows in the JSON, and the first ones on standard error. */
const rejected = (rows: readonly Row[], { isJson, say }: Context): Result => {
  const bad = rows.filter(({ product }) => !product);
  if (!isJson) {
    for (const { place, faults } of bad.slice(0, LISTED_ROWS_MAX)) say(`${place}: ${faults?.join('; ')}`);
    const others = bad.length - LISTED_ROWS_MAX;
    if (others > 0) say(`${others} more: --json lists all of them.`);
  }
  // An operator could mistake a partial import for a complete one.
  const failure = `Nothing was stored. Invalid: ${bad.length} of ${counted(rows.length, 'product')}.`;
  return { json: { stored: 0, bad }, lines: [], failure };
};

export const importProducts: Action<typeof PRODUCTS.import> = async ({ file }, { openStage, stderr }) => {
  if (file === undefined) {
    return { json: { products: exampleProducts() }, lines: EXAMPLE_CSV.trimEnd().split('\n') };
  }
  // Checks that need no stage come first.
  const reading = showProgress({ stderr }, `Reading ${file}`);
  const read = await readProductFile(file).finally(reading[Symbol.dispose]);
  const context = await openStage();
  const { documents, tableNames, name } = context.stage;
  const products = createProductImport(documents, tableNames.products);
  const rows = await rejectByStage(read, products, context);
  const all = productsOf(rows);
  if (all.length < rows.length) return rejected(rows, context);
  const ids = { count: all.length, productIds: all.map(({ id }) => id) };
  await context.change(ids, () => storeAll(all, products, context));
  return {
    json: { stored: all.length },
    lines: [`Stored ${counted(all.length, 'product')} on the stage ${name}.`],
  };
};
