import { amountMax, isPayableAmount, payableAmounts, type Price } from './price.ts';

/** A fixed price, or a price that the buyer chooses. Amounts are in the main unit of the product's currency. */
export type Pricing =
  | { readonly type: 'fixed'; readonly amount: number }
  | { readonly type: 'free'; readonly minimum?: number | undefined; readonly suggested?: number | undefined };

export interface Product {
  /** The public id: `productDocumentId` in requests. */
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  readonly available: boolean;
  readonly currency: string;
  readonly pricing: Pricing;
}

/** The form of a product's id. */
export const PRODUCT_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The product id of a request. `undefined` if no product can have it. */
export const parseProductId = (text: string | undefined): string | undefined => text?.match(PRODUCT_ID)?.[0];

/** The index of products by store, in the order of their ids. */
export const STORE_INDEX = 'byStore';

/** Whether a product exists, is available and belongs to a store. */
export const isSoldBy = (product: Product | undefined, storeId: string): product is Product =>
  product !== undefined && product.storeId === storeId && product.available;

/** The price of a cart, or one sentence that rejects the buyer's choice. */
type Quote = { readonly ok: true; readonly price: Price } | { readonly ok: false; readonly message: string };

const reject = (message: string): Quote => ({ ok: false, message });

/**
 * Prices a product for one cart.
 *
 * @param customerPrice the buyer's choice in the currency's main unit (`docs/contract.md`, "Create request")
 */
export const quote = ({ pricing, currency }: Product, customerPrice: number | undefined): Quote => {
  if (pricing.type === 'fixed') {
    const { amount } = pricing;
    return customerPrice === undefined || customerPrice === amount
      ? { ok: true, price: { amount, currency } }
      : reject(`Must be ${amount} ${currency}, the product's fixed price, not ${customerPrice} ${currency}`);
  }
  const amount = customerPrice ?? pricing.suggested;
  if (amount === undefined) return reject('The product has no suggested price: choose one');
  const maximum = amountMax(currency);
  if (amount > maximum) return reject(`Must be at most ${maximum} ${currency}`);
  if (!isPayableAmount(amount, currency)) return reject(payableAmounts(currency));
  const { minimum = 0 } = pricing;
  if (amount < minimum) return reject(`Must be at least ${minimum} ${currency}`);
  return { ok: true, price: { amount, currency } };
};
