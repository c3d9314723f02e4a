import { minorUnitDigits, type Price } from '../../../lib/products/price.ts';
import type { Product } from '../../../lib/products/product.ts';

/** An amount for terminals and documents, with the decimals of its currency or more: `49.90 EUR`, `1500 JPY`. */
export const describeAmount = ({ amount, currency }: Price): string => {
  const format = new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: minorUnitDigits(currency),
    // A rejected payment may have more decimals than its currency.
    maximumFractionDigits: 20,
  });
  return `${format.format(amount)} ${currency}`;
};

/** The price of a product, for terminals and documents. */
export const describePrice = ({ pricing, currency }: Product): string => {
  if (pricing.type === 'fixed') return describeAmount({ amount: pricing.amount, currency });
  const { minimum, suggested } = pricing;
  const atLeast = minimum === undefined ? '' : `, at least ${describeAmount({ amount: minimum, currency })}`;
  const proposal =
    suggested === undefined ? '' : `, ${describeAmount({ amount: suggested, currency })} suggested`;
  return `the buyer's choice in ${currency}${atLeast}${proposal}`;
};
