import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { parseProduct } from '../../../lib/products/product-schema.ts';
import type { Product } from '../../../lib/products/product.ts';
import { UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { describeFault } from './describe.ts';

/** A product of a file, not yet checked. */
interface Row {
  /** Where a person finds it: its line in a CSV file, its number in a JSON file. */
  readonly place: string;
  readonly value: unknown;
  /** What is wrong already, so that the value need not be looked at. */
  readonly fault?: string;
}

/** What is wrong with one row, in one sentence each. */
export interface BadRow {
  readonly place: string;
  readonly faults: readonly string[];
}

/** A row that is a product. */
export interface GoodRow {
  readonly place: string;
  readonly product: Product;
}

const REQUIRED_COLUMNS = ['id', 'store', 'name', 'currency', 'price'];
const OPTIONAL_COLUMNS = ['minimum', 'suggested', 'available'];

/** A cell that may be empty, as a number; what is none stays a text, for the check to refuse. */
const toNumber = (cell: string | undefined): number | string | undefined => {
  if (cell === undefined || cell === '') return undefined;
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(cell) ? Number(cell) : cell;
};

const toPricing = ({ price = '', minimum, suggested }: Partial<Record<string, string>>): object => {
  const bounds = { minimum: toNumber(minimum), suggested: toNumber(suggested) };
  if (price === 'free') return { type: 'free', ...bounds };
  const given = Object.entries(bounds).filter(([, amount]) => amount !== undefined);
  return { type: 'fixed', amount: toNumber(price), ...Object.fromEntries(given) };
};

const toBoolean = (cell = ''): boolean | string | undefined => {
  if (cell === '') return undefined;
  return cell === 'true' || cell === 'false' ? cell === 'true' : cell;
};

const csvRow = (columns: readonly string[], cells: readonly string[], line: number): Row => {
  const place = `line ${line}`;
  if (cells.length !== columns.length) {
    return {
      place,
      value: undefined,
      fault: `has ${cells.length} cells where the first line has ${columns.length}`,
    };
  }
  const row: Partial<Record<string, string>> = Object.fromEntries(columns.map((name, i) => [name, cells[i]]));
  const { id, store, name, currency, available } = row;
  const value = {
    id,
    storeId: store,
    name,
    available: toBoolean(available),
    currency,
    pricing: toPricing(row),
  };
  return { place, value };
};

const readCsv = (text: string): Row[] => {
  const records = parseCsv(text.replaceAll('\r\n', '\n'), {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  }) as unknown as { readonly record: string[]; readonly info: { readonly lines: number } }[];
  const [header, ...rows] = records;
  const columns = header?.record ?? [];
  const isKnown = (name: string): boolean => [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS].includes(name);
  const isComplete = REQUIRED_COLUMNS.every((name) => columns.includes(name));
  if (!isComplete || !columns.every(isKnown) || new Set(columns).size < columns.length) {
    throw new OperatorError(
      `The first line must name the columns, separated by commas: ${REQUIRED_COLUMNS.join(', ')}, and if need be ${OPTIONAL_COLUMNS.join(', ')}.`,
    );
  }
  return rows.map(({ record, info }) => {
    // The parser counts the lines up to the record's end; a quoted cell may hold some of them.
    const linesWithin = record.join('').split('\n').length - 1;
    return csvRow(columns, record, info.lines - linesWithin);
  });
};

const readJson = (text: string): Row[] => {
  const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  // What `products list --json` prints can be read back.
  const isListing = typeof parsed === 'object' && parsed !== null && 'products' in parsed;
  const values: unknown = isListing ? parsed.products : parsed;
  if (!Array.isArray(values)) throw new OperatorError('A JSON file must hold an array of products.');
  return values.map((value: unknown, i) => ({ place: `product ${i + 1}`, value }));
};

const FORMATS: Readonly<Record<string, (text: string) => Row[]>> = { '.csv': readCsv, '.json': readJson };

const readText = async (file: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    throw new OperatorError(
      error instanceof TypeError ? `The file ${file} is not UTF-8.` : `The file ${file} cannot be read.`,
    );
  }
};

/** Names in a product, and those of the columns that they come from. */
const COLUMN_OF_PATH: Readonly<Record<string, string>> = {
  storeId: 'store',
  'pricing.amount': 'price',
  'pricing.minimum': 'minimum',
  'pricing.suggested': 'suggested',
};

const checkRow = ({ place, value, fault }: Row, isCsv: boolean): GoodRow | BadRow => {
  if (fault !== undefined) return { place, faults: [fault] };
  const parsed = parseProduct(value);
  if (parsed.ok) return { place, product: parsed.product };
  const nameOfPath = isCsv ? COLUMN_OF_PATH : {};
  return { place, faults: parsed.issues.map((each) => describeFault(each, nameOfPath)) };
};

/** Refuses each product whose id an earlier row has. */
const refuseDuplicates = (rows: readonly (GoodRow | BadRow)[]): (GoodRow | BadRow)[] => {
  const placeOfId = new Map<string, string>();
  return rows.map((row) => {
    if (!('product' in row)) return row;
    const { place, product } = row;
    const earlier = placeOfId.get(product.id);
    placeOfId.set(product.id, earlier ?? place);
    return earlier === undefined ? row : { place, faults: [`id is that of ${earlier} already`] };
  });
};

/**
 * Reads a file of products, CSV or JSON by its name, and checks each; in the file's order.
 *
 * @throws OperatorError if it cannot be read, or holds no products at all
 * @throws UsageError if its name is of neither kind
 */
export const readProductFile = async (file: string): Promise<readonly (GoodRow | BadRow)[]> => {
  const extension = extname(file).toLowerCase();
  const read = FORMATS[extension];
  if (!read) throw new UsageError('The name of the file must end in .csv or .json.');
  const text = await readText(file);
  let rows: Row[];
  try {
    rows = read(text);
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof SyntaxError)) throw error;
    throw new OperatorError(`The file ${file} is not ${extension.slice(1).toUpperCase()}: ${error.message}.`);
  }
  if (rows.length === 0) throw new OperatorError(`The file ${file} holds no products.`);
  return refuseDuplicates(rows.map((row) => checkRow(row, extension === '.csv')));
};
