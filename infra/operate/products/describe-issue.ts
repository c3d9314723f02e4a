import type { InvalidField } from '../../../lib/core/invalid-field.ts';

/**
 * Describes a validation issue of a product.
 *
 * @param nameOfPath the operator's names for fields. A field without one keeps its path
 */
export const describeIssue = (
  { path, message }: InvalidField,
  nameOfPath: Readonly<Record<string, string>>,
): string => `${nameOfPath[path] ?? path} ${message.charAt(0).toLowerCase()}${message.slice(1)}`.trim();
