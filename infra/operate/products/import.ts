import { createProductImport, type ProductImport } from '../../../lib/products/product-import.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Context, Run } from '../command.ts';
import { type Progress, showProgress } from '../progress.ts';
import { findUnknownStores } from '../stores/known-store.ts';
import { type IMPORT_PRODUCTS, LISTED_ROWS_MAX } from './commands.ts';
import { EXAMPLE_CSV } from './example-file.ts';
import {
  type BadRow,
  exampleProducts,
  type GoodRow,
  isGood,
  readProductFile,
  type Row,
} from './product-file.ts';

/** Rejects each good row with a fault. */
const rejectRows = (rows: readonly Row[], faultOf: (row: GoodRow) => string | undefined): Row[] =>
  rows.map((row) => {
    const fault = isGood(row) ? faultOf(row) : undefined;
    return fault === undefined ? row : { place: row.place, faults: [fault] };
  });

/** Rejects each product of a store that does not exist. */
const rejectUnknownStores = async (rows: readonly Row[], { stores }: Context): Promise<Row[]> => {
  const storeIds = rows.filter(isGood).map(({ product }) => product.storeId);
  const unknown = await findUnknownStores(stores, storeIds);
  return rejectRows(rows, ({ product: { storeId } }) => {
    if (!unknown.has(storeId)) return undefined;
    const closest = unknown.get(storeId);
    const remedy = closest === undefined ? 'add it with `stores put` first' : `did you mean ${closest}?`;
    return `there is no store ${storeId}: ${remedy}`;
  });
};

/** Rejects each product with the id of another store's product, which it would replace. */
const rejectForeign = async (
  rows: readonly Row[],
  products: ProductImport,
  progress: Progress,
): Promise<Row[]> => {
  const ids = rows.filter(isGood).map(({ product }) => product.id);
  const owners = await products.findOwners(ids, (done) => progress.update(done, ids.length));
  return rejectRows(rows, ({ product: { id, storeId } }) =>
    (owners.get(id) ?? storeId) === storeId
      ? undefined
      : 'id belongs to another store already: choose another one',
  );
};

const REMEDY = 'run the same command again to store the rest';

/** Stores the products. The first Ctrl-C waits for the batches under way. */
const store = async (
  rows: readonly GoodRow[],
  products: ProductImport,
  { say, stopSignal }: Context,
  progress: Progress,
): Promise<number> => {
  progress.begin('Storing');
  const total = counted(rows.length, 'product');
  let storedMin = 0;
  const onProgress = (stored: number): void => {
    storedMin = stored;
    progress.update(stored, rows.length);
  };
  const all = rows.map(({ product }) => product);
  const { stored, end } = await products
    .putMany(all, { signal: stopSignal(), onProgress })
    .finally(progress.end)
    .catch((error: unknown) => {
      say(`Stored at least ${storedMin} of ${total}: ${REMEDY}.`);
      throw error;
    });
  if (end === 'complete') return stored;
  const event = end === 'stopped' ? 'Stopped' : 'DynamoDB kept throttling';
  throw new OperatorError(`${event} after ${stored} of ${total}: ${REMEDY}.`);
};

/** The result if products are invalid: all bad rows in the JSON, and the first ones on standard error. */
const rejected = (rows: readonly Row[], { isJson, say }: Context) => {
  const bad = rows.filter((row): row is BadRow => !isGood(row));
  if (!isJson) {
    for (const { place, faults } of bad.slice(0, LISTED_ROWS_MAX)) say(`${place}: ${faults.join('; ')}`);
    const others = bad.length - LISTED_ROWS_MAX;
    if (others > 0) say(`${others} more: --json lists all of them.`);
  }
  // An operator could mistake a partial import for a complete one.
  const failure = `Nothing was stored. Invalid: ${bad.length} of ${counted(rows.length, 'product')}.`;
  return { json: { stored: 0, bad }, lines: [], failure };
};

/** Reads and checks the products of a file. Checks that need no stage come first. */
const checkProducts = async <Opened extends Context>(
  file: string,
  openStage: () => Promise<Opened>,
  progress: Progress,
) => {
  progress.begin(`Reading ${file}`);
  try {
    const read = await readProductFile(file);
    const context = await openStage();
    const { documents, tableNames } = context.stage;
    const products = createProductImport(documents, tableNames.products);
    progress.begin('Checking');
    const rows = await rejectForeign(await rejectUnknownStores(read, context), products, progress);
    return { context, products, rows };
  } finally {
    progress.end();
  }
};

export const run: Run<typeof IMPORT_PRODUCTS> = async ({ file }, { openStage, stderr }) => {
  if (file === undefined) {
    return { json: { products: exampleProducts() }, lines: EXAMPLE_CSV.trimEnd().split('\n') };
  }
  const progress = showProgress({ stderr });
  const { context, products, rows } = await checkProducts(file, openStage, progress);
  const good = rows.filter(isGood);
  if (good.length < rows.length) return rejected(rows, context);
  const productIds = good.map(({ product }) => product.id);
  const stored = await context.change({ count: good.length, productIds }, () =>
    store(good, products, context, progress),
  );
  const lines = [`Stored ${counted(stored, 'product')} on the stage ${context.stage.name}.`];
  return { json: { stored }, lines };
};
