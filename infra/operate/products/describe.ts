import type { Product } from '../../../lib/products/product.ts';

/** What a product costs, for a person. */
export const describePrice = ({ pricing, currency }: Product): string => {
  if (pricing.type === 'fixed') return `${pricing.amount} ${currency}`;
  const bounds = [
    ...(pricing.minimum === undefined ? [] : [`at least ${pricing.minimum}`]),
    ...(pricing.suggested === undefined ? [] : [`${pricing.suggested} suggested`]),
  ];
  return [`free pricing in ${currency}`, ...bounds].join(', ');
};
