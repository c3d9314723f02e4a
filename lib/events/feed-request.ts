import * as z from 'zod/mini';
import type { RequestWords } from '../core/unknown-names.ts';
import { CURSOR_CHARACTERS, CURSOR_PATTERN } from './cursor.ts';

/** The most events of a page, and the default. */
export const FEED_LIMIT_MAX = 100;

/** A query parameter that is sent at most once. API Gateway lists the values of each parameter. */
export const once = (schema: z.ZodMiniType<string, string>) =>
  z.optional(
    z.pipe(
      z.array(z.string()).check(z.maxLength(1, 'Must be sent once')),
      z.pipe(
        z.transform(([value = '']: string[]) => value),
        schema,
      ),
    ),
  );

export const cursorSchema = z
  .string()
  .check(
    z.regex(CURSOR_PATTERN, 'Must be a cursor from a response'),
    z.meta({ minLength: CURSOR_CHARACTERS, maxLength: CURSOR_CHARACTERS }),
  );

/** The most items of a page, from 1 to {@link FEED_LIMIT_MAX}. */
export const limitSchema = z
  .string()
  .check(z.regex(/^(?:[1-9]\d?|100)$/, `Must be a whole number from 1 to ${FEED_LIMIT_MAX}`));

/** The input of the feed: the event of API Gateway, with `multiValueQueryStringParameters` as `query`. */
export const feedRequestSchema = z.pipe(
  z.object({ query: z.object({ after: once(cursorSchema), limit: once(limitSchema) }) }),
  z.transform(({ query }) => ({
    after: query.after,
    limit: query.limit === undefined ? FEED_LIMIT_MAX : Number(query.limit),
  })),
);

/** The names of a page's place and size in other APIs. */
export const PAGE_WORDS = {
  after:
    'cursor startingafter startafter pageafter aftercursor nextcursor next nexttoken pagetoken nextpagetoken continuationtoken iterator page offset since sinceid lastid from',
  limit: 'pagelimit pagesize perpage size count maxresults max top take first',
};

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
