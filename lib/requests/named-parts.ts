/**
 * The parts of a request that have names. `prefix` begins their paths (`docs/contract.md`, "Errors"). `comparedMax` bounds the
 * work for a hostile body. A gateway adds about 20 headers, and bounds their bytes.
 */
export const PARTS = {
  body: { noun: 'field', place: 'in the body', prefix: '', comparedMax: 20 },
  query: { noun: 'parameter', place: 'in the query', prefix: 'query.', comparedMax: 20 },
  headers: { noun: 'header', place: 'as a header', prefix: 'headers.', comparedMax: 100 },
} as const;

export type Part = keyof typeof PARTS;

/** The values of a request, by name. A body can be anything. */
export type RequestValues = Readonly<Record<Part, unknown>>;
