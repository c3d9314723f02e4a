import * as z from 'zod/mini';
import type { RequestWords } from '../requests/unknown-names.ts';
import { once } from '../requests/query-parameters.ts';
import { LOGGED_TYPES } from '../endpoints/endpoint-event.ts';
import { PING_TYPE } from './delivery.ts';

const TYPES = [PING_TYPE, ...LOGGED_TYPES];

/** The type of a test event. A pattern, as that of the types of an endpoint. */
export const testTypeSchema = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(?:${TYPES.join('|').replaceAll('.', String.raw`\.`)})$`),
      `Must be one of ${TYPES.join(', ')}`,
    ),
    z.meta({ maxLength: Math.max(...TYPES.map(({ length }) => length)) }),
  );

/** The query of a test event. */
export const testQuerySchema = z.object({ eventType: once(testTypeSchema) });

/** The names of the query in other APIs. */
export const TEST_WORDS: RequestWords = { query: { others: { eventType: 'type event eventname topic' } } };
