import type { Command } from 'commander';
import { createProductImport, type ProductImport } from '../../../lib/products/product-import.ts';
import { printable } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { showProgress } from '../progress.ts';
import { findStage } from '../stage.ts';
import { type BadRow, type GoodRow, isGood, readProductFile, type Row } from './product-file.ts';

/** Rejects each product with the id of another store's product, which it would replace. */
const rejectForeign = async (rows: readonly Row[], products: ProductImport): Promise<Row[]> => {
  const owners = await products.findOwners(rows.filter(isGood).map(({ product }) => product.id));
  return rows.map((row) => {
    const owner = isGood(row) ? owners.get(row.product.id) : undefined;
    return !isGood(row) || owner === undefined || owner === row.product.storeId
      ? row
      : { place: row.place, faults: ['id belongs to another store already: choose another one'] };
  });
};

/** Reports each bad row, in the JSON or on standard error. */
const reportBad = async (host: Host, bad: readonly BadRow[], json: true | undefined): Promise<void> => {
  if (json) return print(host, json, { stored: 0, bad }, []);
  for (const { place, faults } of bad) host.stderr.write(`${place}: ${printable(faults.join('; '))}\n`);
};

const REMEDY = 'run the same command again to store the rest';

const store = async (host: Host, rows: readonly GoodRow[], products: ProductImport): Promise<number> => {
  const progress = showProgress(host, rows.length);
  let storedMin = 0;
  const onProgress = (stored: number): void => {
    storedMin = stored;
    progress.update(stored);
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
      host.stderr.write(`At least ${storedMin} of ${rows.length} products are stored: ${REMEDY}.\n`);
      throw error;
    });
  if (end === 'complete') return stored;
  const event = end === 'stopped' ? 'Stopped' : 'DynamoDB kept throttling';
  throw new OperatorError(`${event} after ${stored} of ${rows.length} products: ${REMEDY}.`);
};

const importProducts = async (host: Host, file: string, { json, ...stage }: CommonFlags): Promise<void> => {
  const checked = await readProductFile(file);
  const { name, documents, tableNames } = await findStage(stage);
  const products = createProductImport(documents, tableNames.products);
  const rows = await rejectForeign(checked, products);
  const bad = rows.filter((row): row is BadRow => !isGood(row));
  if (bad.length > 0) {
    await reportBad(host, bad, json);
    // An operator could mistake a partial import for a complete one.
    throw new OperatorError(`Nothing was stored: ${bad.length} of ${rows.length} products are invalid.`);
  }
  const stored = await store(host, rows.filter(isGood), products);
  await print(host, json, { stored }, [
    `Stored ${stored} product${stored === 1 ? '' : 's'} on the stage ${name}.`,
  ]);
};

const HELP = `
A CSV file is UTF-8 with commas. Its first line names the columns:

  id,store,name,currency,price,minimum,suggested,available
  course-1,shop,Course,EUR,19.99,,,
  gift,shop,"Gift, any amount",EUR,free,1,5,
  poster,shop,Poster,JPY,1500,,,false

The price is an amount, or the word free. The columns minimum, suggested and available (default: true) are optional.
A JSON file holds an array of products, such as \`products list --json\` prints:

  [{ "id": "course-1", "storeId": "shop", "name": "Course", "currency": "EUR",
     "pricing": { "type": "fixed", "amount": 19.99 }, "available": true },
   { "id": "gift", "storeId": "shop", "name": "Gift", "currency": "EUR",
     "pricing": { "type": "free", "minimum": 1, "suggested": 5 } }]

It checks all products first. If any is invalid, it reports every invalid one and stores nothing.
A product replaces all fields of the one with its id. Products that the file does not name stay as they are.
To resume an interrupted import (Ctrl-C, a lost connection), run the same command again: it stores everything once more.

Examples:
  npm run operate -- products import catalogue.csv
  npm run operate -- products import catalogue.json --stage prod
  npm run --silent operate -- products list --json > backup.json && npm run operate -- products import backup.json --stage two`;

/** `products import`: stores the products of a file. */
export const importProductsCommand = (host: Host): Command =>
  stageCommand('import', 'store the products of a file: all of them, or none if any is invalid', HELP)
    .argument('<file>', 'a .csv or a .json file')
    .action((file: string, flags: CommonFlags) => importProducts(host, file, flags));
