import type { InvalidField } from '../../../lib/invalid-field.ts';
import type { Product } from '../../../lib/products/product.ts';

/** Describes the price of a product. */
export const describePrice = ({ pricing, currency }: Product): string => {
  if (pricing.type === 'fixed') return `${pricing.amount} ${currency}`;
  const minimum = pricing.minimum === undefined ? '' : `, at least ${pricing.minimum}`;
  const suggested = pricing.suggested === undefined ? '' : `, ${pricing.suggested} suggested`;
  return `free pricing in ${currency}${minimum}${suggested}`;
};

/**
 * Describes a validation issue of a product.
 *
 * @param nameOfPath the operator's names for fields; a field without one keeps its path
 */
export const describeIssue = (
  { path, message }: InvalidField,
  nameOfPath: Readonly<Record<string, string>> = {},
): string => `${nameOfPath[path] ?? path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`.trim();
