import type { InvalidField } from '../../../lib/invalid-field.ts';
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

/**
 * What is wrong with a product, for a person.
 *
 * @param nameOfPath what the person calls a field; one that is missing is called by its path
 */
export const describeFault = (
  { path, message }: InvalidField,
  nameOfPath: Readonly<Record<string, string>> = {},
): string => `${nameOfPath[path] ?? path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`.trim();
