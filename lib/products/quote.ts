import { amountIssue, type Price } from './price.ts';
import type { Product } from './product.ts';

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
  const issue = amountIssue(amount, currency);
  if (issue !== undefined) return reject(issue);
  const { minimum = 0 } = pricing;
  if (amount < minimum) return reject(`Must be at least ${minimum} ${currency}`);
  return { ok: true, price: { amount, currency } };
};
