import type { InvalidField } from '../requests/invalid-field.ts';
import { isAbsent, sentLettersOf, type RequestWords, unknownEntries } from '../requests/unknown-names.ts';
import type { Price } from '../products/price.ts';
import type { Product } from '../products/product.ts';
import { IDEMPOTENCY_WORDS } from '../idempotency/idempotency.ts';
import { createCartRequestSchema } from './create-cart-request.ts';

const FIELDS = Object.keys(createCartRequestSchema.shape);

/** A number, also from text: decimals come as text from many databases. */
const toNumber = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value);

/** The names of a create request in other APIs. A field without a name here is reported only if ignoring it loses something. */
export const CART_WORDS: RequestWords = {
  body: {
    others: {
      productDocumentId: 'product productid documentid productslug variantid sku',
      email: 'mail emailaddress customeremail buyeremail useremail',
      firstName: 'givenname forename customerfirstname',
      lastName: 'surname familyname customerlastname',
      phone: 'phonenumber telephone mobile customerphone',
      redirectURL: 'returnurl successurl redirect returnto successredirecturl',
      cancelURL: 'cancelredirecturl',
      meta: 'metadata customdata customfields',
      lang: 'locale language',
    },
    missing: [
      {
        names: 'quantity qty',
        reason: 'a cart is for one unit of one product',
        isHarmless: (value) => toNumber(value) === 1,
      },
      {
        names: 'lineitems items products cartitems',
        reason: 'a cart is for one unit of one product: send productDocumentId',
      },
      {
        names: 'customer customerinfo customerdetails customerdata buyer payer',
        reason: 'send email, firstName, lastName and phone',
      },
      {
        names: 'name fullname customername buyername',
        reason: 'send firstName and lastName',
        beside: 'firstName',
      },
      {
        names: 'cart checkout data',
        reason: 'send its fields at the top level',
        beside: 'productDocumentId',
      },
      {
        names: 'webhookurl webhook notifyurl notificationurl callbackurl ipnurl',
        reason: 'create a webhook endpoint',
      },
      {
        names: 'expiresat expiresin expiry expiration expirationtime expiresinseconds expiresafter ttl',
        reason: 'send expiresInMinutes',
        beside: 'expiresInMinutes',
      },
      { names: 'clientreferenceid referenceid externalreference merchantreference', reason: 'use meta' },
      {
        names: 'coupon couponcode discount discounts discountcode promocode',
        reason: 'carts have no discounts',
      },
    ],
  },
  headers: { others: { 'idempotency-key': IDEMPOTENCY_WORDS } },
};

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
