import type { Product } from '../lib/products/product.ts';

export const describePrice = ({ pricing, currency }: Product): string => {
  if (pricing.type === 'fixed') return `${pricing.amount} ${currency}`;
  const minimum = pricing.minimum === undefined ? '' : `, at least ${pricing.minimum}`;
  const suggested = pricing.suggested === undefined ? '' : `, ${pricing.suggested} suggested`;
  return `free pricing in ${currency}${minimum}${suggested}`;
};
