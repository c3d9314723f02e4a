import type { Command } from 'commander';
import { createProductImport, type ProductImport } from '../../../lib/products/product-import.ts';
import { printable, UsageError, write } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { type Progress, showProgress } from '../progress.ts';
import { findStage, type Stage } from '../stage.ts';
import { findUnknownStores } from '../stores/known-store.ts';
import { EXAMPLE_CSV } from './example-file.ts';
import {
  type BadRow,
  exampleProducts,
  type GoodRow,
  isGood,
  readProductFile,
  type Row,
} from './product-file.ts';

interface ImportFlags extends CommonFlags {
  readonly example?: true;
}

/** Rejects each product of a store that does not exist. */
const rejectUnknownStores = async (rows: readonly Row[], stage: Stage): Promise<Row[]> => {
  const storeIds = rows.filter(isGood).map(({ product }) => product.storeId);
  const unknown = await findUnknownStores(stage, storeIds);
  return rows.map((row) => {
    if (!isGood(row) || !unknown.has(row.product.storeId)) return row;
    const closest = unknown.get(row.product.storeId);
    const remedy = closest === undefined ? 'add it with `stores put` first' : `did you mean ${closest}?`;
    return { place: row.place, faults: [`there is no store ${row.product.storeId}: ${remedy}`] };
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
  return rows.map((row) => {
    const owner = isGood(row) ? owners.get(row.product.id) : undefined;
    return !isGood(row) || owner === undefined || owner === row.product.storeId
      ? row
      : { place: row.place, faults: ['id belongs to another store already: choose another one'] };
  });
};

/** The most bad rows that standard error lists. */
const LISTED_MAX = 20;

/** Reports the bad rows: all of them in the JSON, the first ones on standard error. */
const reportBad = async (host: Host, bad: readonly BadRow[], json: true | undefined): Promise<void> => {
  if (json) return print(host, json, { stored: 0, bad }, []);
  for (const { place, faults } of bad.slice(0, LISTED_MAX)) {
    host.stderr.write(`${place}: ${printable(faults.join('; '))}\n`);
  }
  const others = bad.length - LISTED_MAX;
  if (others > 0) host.stderr.write(`${others} more: --json lists all of them.\n`);
};

const REMEDY = 'run the same command again to store the rest';

const store = async (
  host: Host,
  rows: readonly GoodRow[],
  products: ProductImport,
  progress: Progress,
): Promise<number> => {
  progress.begin('Storing');
  const total = counted(rows.length, 'product');
  let storedMin = 0;
  const onProgress = (stored: number): void => {
    storedMin = stored;
    progress.update(stored, rows.length);
  };
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  // The first Ctrl-C waits for the batches under way. A second one ends the process at once.
  process.once('SIGINT', interrupt);
  const all = rows.map(({ product }) => product);
  const { stored, end } = await products
    .putMany(all, { signal: interruption.signal, onProgress })
    .finally(() => {
      process.off('SIGINT', interrupt);
      progress.end();
    })
    .catch((error: unknown) => {
      host.stderr.write(`Stored at least ${storedMin} of ${total}: ${REMEDY}.\n`);
      throw error;
    });
  if (end === 'complete') return stored;
  const event = end === 'stopped' ? 'Stopped' : 'DynamoDB kept throttling';
  throw new OperatorError(`${event} after ${stored} of ${total}: ${REMEDY}.`);
};

/** Reads and checks the products of a file. Checks that need no stage come first. */
const checkProducts = async (
  host: Host,
  file: string,
  flags: CommonFlags,
  progress: Progress,
): Promise<{ stage: Stage; products: ProductImport; rows: readonly Row[] }> => {
  progress.begin(`Reading ${printable(file)}`);
  try {
    const read = await readProductFile(file);
    const stage = await findStage(flags, host.clock);
    const products = createProductImport(stage.documents, stage.tableNames.products);
    progress.begin('Checking');
    const rows = await rejectForeign(await rejectUnknownStores(read, stage), products, progress);
    return { stage, products, rows };
  } finally {
    progress.end();
  }
};

const importProducts = async (host: Host, file: string, { json, ...flags }: CommonFlags): Promise<void> => {
  const progress = showProgress(host);
  const { stage, products, rows } = await checkProducts(host, file, flags, progress);
  const bad = rows.filter((row): row is BadRow => !isGood(row));
  if (bad.length > 0) {
    await reportBad(host, bad, json);
    // An operator could mistake a partial import for a complete one.
    throw new OperatorError(
      `Nothing was stored. Invalid: ${bad.length} of ${counted(rows.length, 'product')}.`,
    );
  }
  const good = rows.filter(isGood);
  const ids = { count: good.length, productIds: good.map(({ product }) => product.id) };
  const change = { command: 'products import', ids };
  const stored = await recordChange(host, stage, change, () => store(host, good, products, progress));
  await print(host, json, { stored }, [`Stored ${counted(stored, 'product')} on the stage ${stage.name}.`]);
};

const printExample = (host: Host, { json }: ImportFlags): Promise<void> =>
  json ? print(host, json, { products: exampleProducts() }, []) : write(host.stdout, EXAMPLE_CSV);

const importOrPrintExample = (host: Host, file: string | undefined, flags: ImportFlags): Promise<void> => {
  const { example, ...others } = flags;
  if ((file === undefined) === (example === undefined)) {
    throw new UsageError('Name the file to import, or print an example of one with --example.');
  }
  return file === undefined ? printExample(host, flags) : importProducts(host, file, others);
};

const HELP = `
A CSV file is UTF-8 with commas. Its first line names the columns:

  ${EXAMPLE_CSV.trimEnd().replaceAll('\n', '\n  ')}

The price is an amount, or the word free. The columns minimum, suggested and available (default: true) are optional.
A JSON file holds an array of products, such as \`products list --json\` prints:

  [{ "id": "course-1", "storeId": "shop", "name": "Course", "currency": "EUR",
     "pricing": { "type": "fixed", "amount": 19.99 }, "available": true },
   { "id": "gift", "storeId": "shop", "name": "Gift", "currency": "EUR",
     "pricing": { "type": "free", "minimum": 1, "suggested": 5 } }]

It checks all products first. If any is invalid, it stores nothing and lists the first ${LISTED_MAX} invalid ones, with --json all.
Each store must exist: add it with \`stores put\` first.
A product replaces all fields of the one with its id. Products that the file does not name stay as they are.
To resume an interrupted import (Ctrl-C, a lost connection), run the same command again: it stores everything once more.

Examples:
  npm run --silent operate -- products import --example > catalogue.csv
  npm run operate -- products import catalogue.csv
  npm run operate -- products import catalogue.json --stage prod
  npm run --silent operate -- products list --json > backup.json && npm run operate -- products import backup.json --stage two`;

/** `products import`: stores the products of a file. */
export const importProductsCommand = (host: Host): Command =>
  stageCommand('import', 'store the products of a file: all of them, or none if any is invalid', HELP)
    .argument('[file]', 'a .csv or a .json file')
    .option('--example', 'print an example of a CSV file, or of a JSON file with --json, and import nothing')
    .action((file: string | undefined, flags: ImportFlags) => importOrPrintExample(host, file, flags));
