import type { InvalidField, MisspelledField } from '../core/invalid-field.ts';
import type { Price } from '../products/price.ts';
import type { Product } from '../products/product.ts';
import { createCartRequestSchema } from './create-cart-request.ts';

/** Bounds the work for a hostile body. */
const COMPARED_NAMES_MAX = 20;

/** A name that a message may repeat. */
const COMPARED_NAME = /^[\w -]{1,40}$/;

const FIELDS = Object.keys(createCartRequestSchema.shape);

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[ _-]/g, '');

/** The spellings of each field, without case and separators. */
const SPELLINGS: readonly (readonly [letters: string, field: string])[] = [
  ...FIELDS.map((field) => [lettersOf(field), field] as const),
  // The fields' names in many other APIs.
  ['productid', 'productDocumentId'],
  ['mail', 'email'],
  ['metadata', 'meta'],
  ['customdata', 'meta'],
  ['returnurl', 'redirectURL'],
  ['successurl', 'redirectURL'],
  ['locale', 'lang'],
  ['language', 'lang'],
];

/** Names in many other APIs that no field here has, and the reason. */
const MISSING: ReadonlyMap<string, string> = new Map([
  ['quantity', 'a cart is for one unit of one product'],
  ['customer', 'send email, firstName, lastName and phone'],
]);

/** The names of an amount in many other APIs. */
const AMOUNTS: ReadonlySet<string> = new Set(['price', 'amount']);

/** Most words of four letters become other words by one edit: `meta` becomes `beta`, `met` and `metal`. */
const EDITED_LETTERS_MIN = 5;

/**
 * Whether a name is the field's, or becomes it by one insertion, deletion or replacement of a letter. The first letter must be
 * right: `iphone` is a word of its own.
 */
const isSimilar = (field: string, name: string): boolean => {
  if (field === name) return true;
  return field.length >= EDITED_LETTERS_MIN && field[0] === name[0] && isOneEdit(field, name);
};

/** Whether two different texts are one edit apart. */
const isOneEdit = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return long.slice(same + 1) === short.slice(short.length === long.length ? same + 1 : same);
};

const didYouMean = (path: string, meant: string): MisspelledField => ({
  path,
  message: `Unknown field ${path}; did you mean ${meant}?`,
  meant,
});

/** The first 20 unknown fields with names of at most 40 characters. */
const unknownFields = (body: object): readonly [name: string, value: unknown][] =>
  Object.entries(body)
    .filter(([name]) => !FIELDS.includes(name) && COMPARED_NAME.test(name))
    .slice(0, COMPARED_NAMES_MAX);

const isAbsent = (body: object, field: string): boolean =>
  ((body as Readonly<Record<string, unknown>>)[field] ?? null) === null;

/** A number, also from text: decimals come as text from many databases. */
const toNumber = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value);

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;

/**
 * The unknown fields of a create request that would be lost unnoticed: with a name similar to that of an absent field, such as
 * `redirect_url`, or with one of another API, such as `metadata`. A field beside the right one is not misspelled.
 */
export const misspelledFields = (body: unknown): readonly MisspelledField[] => {
  if (!isObject(body)) return [];
  const unknown = unknownFields(body);
  if (unknown.length === 0) return [];
  const absent = SPELLINGS.filter(([, field]) => isAbsent(body, field));
  return unknown.flatMap(([path, value]) => {
    const name = lettersOf(path);
    const [, meant] = absent.find(([letters]) => isSimilar(letters, name)) ?? [];
    if (meant !== undefined) return [didYouMean(path, meant)];
    const reason = MISSING.get(name);
    // Nothing is lost.
    if (reason === undefined || value === null || (name === 'quantity' && toNumber(value) === 1)) return [];
    return [{ path, message: `Unknown field ${path}; there is no such field: ${reason}`, meant: name }];
  });
};

/** An amount in an unknown field, such as `price`. */
export interface StatedPrice {
  readonly path: string;
  readonly value: unknown;
}

/** The amounts in unknown fields of a create request. None beside `customerPrice`. */
export const statedPrices = (body: unknown): readonly StatedPrice[] => {
  if (!isObject(body) || !isAbsent(body, 'customerPrice')) return [];
  return unknownFields(body)
    .filter(([name, value]) => AMOUNTS.has(lettersOf(name)) && value !== null)
    .map(([path, value]) => ({ path, value }));
};

/** Whether a value is the price: its amount as a number or text, or an object as in a cart. */
const isPrice = (value: unknown, { amount, currency }: Price): boolean => {
  const stated = Object(value) as Partial<Price>;
  return toNumber(value) === amount || (stated.amount === amount && stated.currency === currency);
};

/** An issue for each stated price that is not the cart's. The buyer chooses the price of a `free` product alone. */
export const priceIssues = (
  stated: readonly StatedPrice[],
  price: Price,
  pricing: Product['pricing']['type'],
): readonly InvalidField[] =>
  stated
    .filter(({ value }) => !isPrice(value, price))
    .map(({ path }) => {
      const { message } = didYouMean(path, 'customerPrice');
      const isFixed = `Unknown field ${path}; the price of the product is fixed: omit the field`;
      return { path, message: pricing === 'free' ? message : isFixed };
    });
