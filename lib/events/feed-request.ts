import * as z from 'zod/mini';
import type { RequestWords } from '../requests/unknown-names.ts';
import { limitSchema, once, PAGE_LIMIT_MAX, PAGE_WORDS } from '../requests/query-parameters.ts';
import { CURSOR_CHARACTERS, CURSOR_PATTERN } from './cursor.ts';

export const cursorSchema = z
  .string()
  .check(
    z.regex(CURSOR_PATTERN, 'Must be a cursor from a response'),
    z.meta({ minLength: CURSOR_CHARACTERS, maxLength: CURSOR_CHARACTERS }),
  );

/** The input of the feed: the event of API Gateway, with `multiValueQueryStringParameters` as `query`. */
export const feedRequestSchema = z.pipe(
  z.object({ query: z.object({ after: once(cursorSchema), limit: once(limitSchema) }) }),
  z.transform(({ query }) => ({
    after: query.after,
    limit: query.limit === undefined ? PAGE_LIMIT_MAX : Number(query.limit),
  })),
);

/** The names of the feed in other APIs. */
export const FEED_WORDS: RequestWords = {
  query: {
    others: PAGE_WORDS,
    missing: [
      {
        names: 'type types eventtype eventtypes filtertype filtertypes events filter cartid',
        reason: 'the list has all events',
      },
      {
        names: 'before endingbefore pagebefore until order sort direction ascending',
        reason: 'the oldest event comes first, so read on with after',
      },
    ],
  },
};
