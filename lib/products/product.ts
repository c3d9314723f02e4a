import { isPayableAmount, minorUnitDigits, type Price } from './price.ts';

/** What a product costs: a fixed amount, or what the buyer chooses, both in the product's currency's main unit. */
export type Pricing =
  | { readonly type: 'fixed'; readonly amount: number }
  | { readonly type: 'free'; readonly minimum?: number | undefined; readonly suggested?: number | undefined };

/** A product of a store's catalogue. */
export interface Product {
  /** The public identifier: `productDocumentId` in requests. */
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  readonly available: boolean;
  readonly currency: string;
  readonly pricing: Pricing;
}

/** Whether a store can sell a product now; an unknown, a foreign and an unavailable product are one case. */
export const isSoldBy = (product: Product | undefined, storeId: string): product is Product =>
  product !== undefined && product.storeId === storeId && product.available;

/** The price a cart is made with, or one sentence that says what is wrong with the buyer's choice. */
export type Quote =
  { readonly ok: true; readonly price: Price } | { readonly ok: false; readonly message: string };

const refuse = (message: string): Quote => ({ ok: false, message });

/**
 * Prices a product for one cart.
 *
 * @param customerPrice what the buyer chose, in the currency's main unit (document, "CreateCartCheckoutRequest")
 */
export const quote = ({ pricing, currency }: Product, customerPrice: number | undefined): Quote => {
  if (pricing.type === 'fixed') {
    return customerPrice === undefined
      ? { ok: true, price: { amount: pricing.amount, currency } }
      : refuse('The product has a fixed price');
  }
  const amount = customerPrice ?? pricing.suggested;
  if (amount === undefined) return refuse('The product has no suggested price: choose one');
  if (!isPayableAmount(amount, currency)) {
    return refuse(
      `Must be a payable amount in ${currency}, with at most ${minorUnitDigits(currency)} decimals`,
    );
  }
  const { minimum = 0 } = pricing;
  if (amount < minimum) return refuse(`Must be at least ${minimum} ${currency}`);
  return { ok: true, price: { amount, currency } };
};
