import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { firstCharacters } from '../../../lib/core/characters.ts';
import type { Product } from '../../../lib/products/product.ts';
import type { InvalidField } from '../../../lib/requests/invalid-field.ts';
import { systemReason } from '../../core/system-errors.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { exactNumber } from '../frame/exact-number.ts';
import { parseProduct } from './product-schema.ts';

/** A product in an imported file. */
export interface Row {
  /** Its line in a CSV file, or its number in a JSON file. */
  readonly place: string;
  /** Absent if the row is invalid. */
  readonly product?: Product;
  /** One sentence for each validation issue. */
  readonly faults?: readonly string[];
}

const REQUIRED_COLUMNS = ['id', 'store', 'name', 'currency', 'price'];
const OPTIONAL_COLUMNS = ['minimum', 'suggested', 'available'];
const COLUMNS = new Set([...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS]);

/** The columns whose names differ from their fields. */
export const COLUMN_OF_PATH: Readonly<Record<string, string>> = {
  storeId: 'store',
  'pricing.amount': 'price',
  'pricing.minimum': 'minimum',
  'pricing.suggested': 'suggested',
};

/**
 * Describes a validation issue of a product.
 *
 * @param nameOfPath the operator's names for fields. A field without one keeps its path
 */
export const describeIssue = (
  { path, message }: InvalidField,
  nameOfPath: Readonly<Record<string, string>>,
): string => `${nameOfPath[path] ?? path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`.trim();

/** Validates a product. The names of its fields are those of the file. */
const toRow = (place: string, value: unknown, nameOfPath: Readonly<Record<string, string>> = {}): Row => {
  const parsed = parseProduct(value);
  if (parsed.ok) return { place, product: parsed.product };
  return { place, faults: parsed.issues.map((issue) => describeIssue(issue, nameOfPath)) };
};

const WORDS: Readonly<Record<string, boolean | undefined>> = { '': undefined, true: true, false: false };

/** Reads a number or a word, which spreadsheets write in capital letters. Any other text stays, and validation rejects it. */
const readCell = (cell = ''): unknown => {
  const word = cell.toLowerCase();
  return exactNumber(cell) ?? (Object.hasOwn(WORDS, word) ? WORDS[word] : cell);
};

const toPricing = ({ price = '', minimum, suggested }: Partial<Record<string, string>>): object => ({
  ...(price === 'free' ? { type: 'free' } : { type: 'fixed', amount: readCell(price) }),
  // A fixed price must not have them.
  ...(minimum && { minimum: readCell(minimum) }),
  ...(suggested && { suggested: readCell(suggested) }),
});

const csvRow = (row: Partial<Record<string, string>>, place: string): Row => {
  const { id, store: storeId, name, currency } = row;
  const product = { id, storeId, name, available: readCell(row['available']), currency };
  return toRow(place, { ...product, pricing: toPricing(row) }, COLUMN_OF_PATH);
};

/** Bounds the message about a file that is no CSV at all. */
const HEADER_CHARACTERS_MAX = 100;

/** Shows white space that looks like a space, and invisible characters. */
const escapeSpaces = (text: string): string =>
  text.replaceAll(/(?! )[\p{Z}\p{C}]/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Reads the first line. Rejects it if columns are unknown, missing or repeated. */
const readColumns = (columns: string[]): string[] => {
  const isKnown = columns.every((name) => COLUMNS.has(name));
  const isComplete = REQUIRED_COLUMNS.every((name) => columns.includes(name));
  if (isKnown && isComplete && new Set(columns).size === columns.length) return columns;
  const found = escapeSpaces(JSON.stringify(firstCharacters(columns.join(), HEADER_CHARACTERS_MAX)));
  throw new OperatorError(
    `The first line must name each column once, separated by commas: ${REQUIRED_COLUMNS.join(', ')}, and optionally ${OPTIONAL_COLUMNS.join(', ')}. The file begins with ${found}.`,
  );
};

const readCsv = (text: string): Row[] => {
  const records = parseCsv(text.replaceAll('\r\n', '\n'), {
    bom: true,
    columns: readColumns,
    info: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  }) as unknown as { readonly record: Record<string, string>; readonly info: { readonly lines: number } }[];
  return records.map(({ record, info }) => {
    // The parser reports the last line of a record. Quoted cells may contain line breaks.
    const linesWithin = Object.values(record).join('').split('\n').length - 1;
    return csvRow(record, `line ${info.lines - linesWithin}`);
  });
};

const readJson = (text: string): Row[] => {
  // A number with digits that would be lost stays a text, which validation rejects.
  const readNumber = (_: string, value: unknown, { source = '' }: { source?: string }): unknown =>
    typeof value === 'number' && /^[\d.-]+$/.test(source) ? (exactNumber(source) ?? source) : value;
  const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''), readNumber as never);
  // `products list --json` prints an object.
  const values = Array.isArray(parsed) ? parsed : (parsed as { products?: unknown } | null)?.products;
  if (!Array.isArray(values)) throw new OperatorError('A JSON file must hold an array of products.');
  return values.map((value: unknown, i) => toRow(`product ${i + 1}`, value));
};

const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new OperatorError(`The file ${file} cannot be read: ${systemReason(error)}.`);
  });
  // UTF-16 without a mark is UTF-8 too, with a zero in each character.
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString();
  throw new OperatorError(`The file ${file} is not UTF-8.`);
};

/**
 * Reads and validates the products of a CSV or JSON file, in the file's order.
 *
 * @throws OperatorError if the file cannot be read or holds no products
 */
export const readProductFile = async (file: string): Promise<readonly Row[]> => {
  const [format, read] = /\.json$/i.test(file) ? (['JSON', readJson] as const) : (['CSV', readCsv] as const);
  const text = await readText(file);
  try {
    const rows = read(text);
    if (rows.length === 0) throw new OperatorError(`The file ${file} holds no products.`);
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof SyntaxError)) throw error;
    throw new OperatorError(`The file ${file} cannot be read as ${format}: ${error.message}.`);
  }
};
