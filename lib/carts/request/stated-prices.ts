import type { Price } from '../../products/price.ts';
import type { Product } from '../../products/product.ts';
import type { InvalidField } from '../../requests/invalid-field.ts';
import { isAbsent, sentLettersOf, unknownEntries } from '../../requests/sent-names.ts';
import { createCartRequestSchema } from './create-cart-request.ts';

const FIELDS = Object.keys(createCartRequestSchema.shape);

/** A number, also from text: decimals come as text from many databases. */
export const toNumber = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value);

/** The names of an amount in many other APIs. */
const AMOUNTS: ReadonlySet<string> = new Set(['price', 'amount', 'total', 'unitamount', 'customprice']);

/** An amount or a currency in an unknown field, such as `price`. */
export interface StatedPrice {
  readonly path: string;
  readonly value: unknown;
}

const isCurrency = (name: string): boolean => sentLettersOf(name) === 'currency';

/** The amounts and currencies in unknown fields of a create request. Beside `customerPrice`, no amount. */
export const statedPrices = (body: unknown): readonly StatedPrice[] => {
  const isStated = (name: string): boolean =>
    isCurrency(name) || (AMOUNTS.has(sentLettersOf(name)) && isAbsent(body, 'customerPrice'));
  return unknownEntries(body, FIELDS)
    .filter(([name, value]) => isStated(name) && value !== null)
    .map(([path, value]) => ({ path, value }));
};

/** Whether a value is the price: its amount as a number or text, or an object as in a cart. */
const isPrice = (value: unknown, { amount, currency }: Price): boolean => {
  const stated = Object(value) as Partial<Price>;
  return toNumber(value) === amount || (stated.amount === amount && stated.currency === currency);
};

const isStatedPrice = ({ path, value }: StatedPrice, price: Price): boolean =>
  isCurrency(path)
    ? typeof value === 'string' && value.toUpperCase() === price.currency
    : isPrice(value, price);

/** An issue for each stated price that is not the cart's. The buyer chooses the price of a `free` product alone. */
export const priceIssues = (
  stated: readonly StatedPrice[],
  price: Price,
  pricing: Product['pricing']['type'],
): readonly InvalidField[] => {
  const reasonOf = (path: string): string => {
    if (isCurrency(path)) return `the price of the product is in ${price.currency}: omit the field`;
    return pricing === 'free'
      ? 'did you mean customerPrice?'
      : 'the price of the product is fixed: omit the field';
  };
  return stated
    .filter((each) => !isStatedPrice(each, price))
    .map(({ path }) => ({ path, message: `Unknown field ${path}; ${reasonOf(path)}` }));
};
