import * as z from 'zod/mini';
import { BODY_BYTES_MAX, JSON_TOKENS_MAX } from '../lib/http/body/json-body.ts';
import { PAGE_LIMIT_MAX } from '../lib/requests/query-parameters.ts';
import type { Parameter } from './operation-contract.ts';

/** An id in a path. Its bound leaves room for other ids of later versions. A longer one is not found, as any unknown id. */
export const pathId = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'path',
  description,
  schema: z.string().check(z.minLength(1), z.maxLength(128), z.meta({ examples: [example] })),
});

/**
 * The size of a page.
 *
 * @param items the noun for the items of a list
 */
export const limitParameter = (items: string, byDefault = PAGE_LIMIT_MAX): Parameter => ({
  name: 'limit',
  in: 'query',
  description: `The most ${items} of the response. Default: ${byDefault}`,
  schema: z.int().check(z.minimum(1), z.maximum(PAGE_LIMIT_MAX)),
});

/** The description of a body. */
export const BODY_LIMITS = `At most ${BODY_BYTES_MAX / 1_024} KiB and at most ${JSON_TOKENS_MAX.toLocaleString('en')} JSON tokens`;

/**
 * The header of a conditional request.
 *
 * @param subject the noun for what may have changed
 */
export const ifNoneMatch = (subject: string): Parameter => ({
  name: 'If-None-Match',
  in: 'header',
  // No example: the docs page would send it with every request.
  description: `The \`ETag\` of your last response. If the ${subject} has not changed since, the response is 304 without a body. It takes a token too.`,
  schema: z.string(),
});

/**
 * The header that identifies a body.
 *
 * @param subject the noun with which it changes
 */
export const etag = (subject: string) => ({
  ETag: {
    description: `Identifies this body. It changes with ${subject}.`,
    required: true,
    schema: z.string().check(z.minLength(1), z.meta({ examples: ['"9mJ2pWvDq0m1xTn3Ks7c4A"'] })),
  },
});
