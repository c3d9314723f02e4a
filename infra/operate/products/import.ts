import { unlessAborted } from '../../../lib/core/unless-aborted.ts';
import type { Product } from '../../../lib/products/product.ts';
import { counted } from '../../terminal/counted.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { showProgress } from '../../terminal/progress.ts';
import type { Action, Result } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { findUnknownStores } from '../shared/store-values.ts';
import type { PRODUCTS } from './commands.ts';
import { readProductFile, type Row } from './product-file.ts';

/** The valid products, in the order of their rows. */
const productsOf = (rows: readonly Row[]): readonly Product[] => rows.flatMap(({ product }) => product ?? []);

/**
 * Rejects each product with the id of an earlier one, each of an unknown store, and each with the id of another store's product,
 * which it would replace. Rows that are invalid already stay as they are.
 */
const rejectByStage = async (rows: readonly Row[], { repositories }: Context): Promise<readonly Row[]> => {
  const storeIds = productsOf(rows).map(({ storeId }) => storeId);
  const { unknown } = await findUnknownStores(repositories, storeIds);
  const ids = [...new Set(productsOf(rows).map(({ id }) => id))];
  const owners = await repositories.productImport.findOwners(ids);
  const firstPlaces = new Map(rows.toReversed().map(({ product, place }) => [product?.id, place]));
  const faultOf = ({ id, storeId }: Product, place: string): string | undefined => {
    if (firstPlaces.get(id) !== place) return `id is the same as in ${firstPlaces.get(id)}`;
    if (unknown.has(storeId)) return `there is no store ${storeId}`;
    const isForeign = (owners.get(id) ?? storeId) !== storeId;
    return isForeign ? 'id belongs to another store already: choose another one' : undefined;
  };
  return rows.map((row) => {
    const fault = row.product && faultOf(row.product, row.place);
    return fault === undefined ? row : { place: row.place, faults: [fault] };
  });
};

/** Stores the products. A failure or an interruption says how many are stored. */
const storeAll = async (
  all: readonly Product[],
  { repositories, say, stderr }: Context,
  stop: AbortSignal,
): Promise<void> => {
  let storedMin = 0;
  const progress = showProgress({ stderr }, 'Storing');
  const onProgress = (stored: number): void => {
    storedMin = stored;
    progress.update(stored, all.length);
  };
  await unlessAborted(repositories.productImport.putMany(all, onProgress), stop)
    .finally(progress[Symbol.dispose])
    .catch((error: unknown) => {
      const stored = `at least ${storedMin} of ${counted(all.length, 'product')}: run the same command again to store the rest.`;
      if (stop.aborted) throw new OperatorError(`Interrupted: stored ${stored}`);
      say(`Stored ${stored}`);
      throw error;
    });
};

/** The result if products are invalid: all bad rows. */
const rejected = (rows: readonly Row[]): Result => {
  const bad = rows.filter(({ product }) => !product);
  return {
    json: { stored: 0, bad },
    lines: bad.map(({ place, faults }) => `${place}: ${faults?.join('; ')}`),
    failure: `Nothing was stored. Invalid: ${bad.length} of ${counted(rows.length, 'product')}.`,
  };
};

export const importProducts: Action<typeof PRODUCTS.import> = async ({ file }, context) => {
  const stop = context.stopSignal();
  const checked = readProductFile(file).then((rows) => rejectByStage(rows, context));
  const rows = await unlessAborted(checked, stop).catch((error: unknown) => {
    throw stop.aborted ? new OperatorError('Interrupted: nothing was stored.') : error;
  });
  const all = productsOf(rows);
  if (all.length < rows.length) return rejected(rows);
  const ids = { count: all.length, productIds: all.map(({ id }) => id) };
  await context.change(ids, () => storeAll(all, context, stop));
  return {
    json: { stored: all.length },
    lines: [`Stored ${counted(all.length, 'product')} on the stage ${context.stage.name}.`],
  };
};
