import { isDatabaseUnavailable } from '../dynamodb.ts';
import { ApiError } from '../http/errors.ts';

/** The errors of `API_ERRORS` that have a page. */
const PAGE_ERRORS = ['cartNotFound', 'invalidPayload', 'serviceUnavailable', 'internal'] as const;

export type PageErrorKind = (typeof PAGE_ERRORS)[number];

/** The page error for anything thrown. */
export const pageErrorKindOf = (error: unknown): PageErrorKind => {
  if (isDatabaseUnavailable(error)) return 'serviceUnavailable';
  const kind = error instanceof ApiError ? error.kind : undefined;
  return PAGE_ERRORS.find((candidate) => candidate === kind) ?? 'internal';
};
