import { Command } from 'commander';
import { createProductImport, type ProductImport } from '../../../lib/products/product-import.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { print, printable } from '../output.ts';
import { showProgress } from '../progress.ts';
import { findStage } from '../stage.ts';
import { type BadRow, type GoodRow, readProductFile } from './product-file.ts';

type Row = GoodRow | BadRow;

const isGood = (row: Row): row is GoodRow => 'product' in row;

const isBad = (row: Row): row is BadRow => 'faults' in row;

/** Refuses each product whose id belongs to another store: stored, it would take that store's product away. */
const refuseForeign = async (rows: readonly Row[], products: ProductImport): Promise<Row[]> => {
  const owners = await products.findOwners(rows.filter(isGood).map(({ product }) => product.id));
  return rows.map((row) => {
    const owner = isGood(row) ? owners.get(row.product.id) : undefined;
    return !isGood(row) || owner === undefined || owner === row.product.storeId
      ? row
      : { place: row.place, faults: ['id belongs to another store already: choose another one'] };
  });
};

/** Tells every bad row, and ends the command: a part of a file would be hard to tell from the whole. */
const refuse = (bad: readonly BadRow[], rowCount: number, json: true | undefined): never => {
  if (json) process.stdout.write(`${JSON.stringify({ stored: 0, bad })}\n`);
  else
    for (const { place, faults } of bad) process.stderr.write(`${place}: ${printable(faults.join('; '))}\n`);
  throw new OperatorError(`Nothing was stored: ${bad.length} of ${rowCount} products are not right.`);
};

/** Ends with Ctrl-C, once; a second one ends the process at once, as ever. */
const stopOnInterrupt = (): AbortSignal => {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
};

const REMEDY = 'run the same command again to store the rest';

const store = async (rows: readonly GoodRow[], products: ProductImport): Promise<number> => {
  const progress = showProgress(rows.length);
  let soFar = 0;
  const onProgress = (stored: number): void => {
    soFar = stored;
    progress.update(stored);
  };
  const all = rows.map(({ product }) => product);
  try {
    const { stored, end } = await products
      .putMany(all, { signal: stopOnInterrupt(), onProgress })
      .finally(() => progress.end());
    if (end === 'complete') return stored;
    const why = end === 'stopped' ? 'Stopped' : 'DynamoDB kept throttling';
    throw new OperatorError(`${why} after ${stored} of ${rows.length} products: ${REMEDY}.`);
  } catch (error) {
    if (!(error instanceof OperatorError)) {
      process.stderr.write(`At least ${soFar} of ${rows.length} products are stored: ${REMEDY}.\n`);
    }
    throw error;
  }
};

const importProducts = async (file: string, { json, ...stage }: CommonFlags): Promise<void> => {
  const checked = await readProductFile(file);
  const { name, documents, tableNames } = await findStage(stage);
  const products = createProductImport(documents, tableNames.products);
  const rows = await refuseForeign(checked, products);
  const bad = rows.filter(isBad);
  if (bad.length > 0) refuse(bad, rows.length, json);
  const stored = await store(rows.filter(isGood), products);
  print(json, { stored }, [`Stored ${stored} product${stored === 1 ? '' : 's'} on the stage ${name}.`]);
};

const HELP = `
A CSV file is UTF-8, with commas, and names its columns in the first line:

  id,store,name,currency,price,minimum,suggested,available
  course-1,shop,Course,EUR,19.99,,,
  gift,shop,"Gift, any amount",EUR,free,1,5,
  poster,shop,Poster,JPY,1500,,,false

The price is an amount, or the word free; minimum, suggested and available (true) may be empty or left out.
A JSON file holds an array of products, such as \`products list --json\` prints:

  [{ "id": "course-1", "storeId": "shop", "name": "Course", "currency": "EUR",
     "pricing": { "type": "fixed", "amount": 19.99 }, "available": true },
   { "id": "gift", "storeId": "shop", "name": "Gift", "currency": "EUR",
     "pricing": { "type": "free", "minimum": 1, "suggested": 5 } }]

Every product is checked first: if any is wrong, all that are wrong are told, and nothing is stored. A product takes
the place of the one of its id, whole; products that the file does not name stay as they are.
An import that was interrupted (Ctrl-C, a lost connection) is resumed by the same command: what is stored already is
stored again, unchanged. Batches that DynamoDB throttles are tried again for some time.

Examples:
  npm run operate -- products import catalogue.csv
  npm run operate -- products import catalogue.json --stage prod
  npm run --silent operate -- products list --json > backup.json && npm run operate -- products import backup.json --stage two`;

/** `products import`: stores the products of a file. */
export const importCommand = (): Command =>
  withCommonOptions(new Command('import'))
    .argument('<file>', 'a .csv or a .json file')
    .description('store the products of a file: all of them, or none if any is wrong')
    .addHelpText('after', HELP)
    .action(importProducts);
