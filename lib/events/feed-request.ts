import * as z from 'zod/mini';
import type { ForeignNames } from '../requests/foreign-names.ts';
import { once, pageLimit } from '../requests/query-parameters.ts';
import { CURSOR_CHARACTERS, CURSOR_PATTERN } from './cursor.ts';

export const cursorSchema = z
  .string()
  .check(
    z.regex(CURSOR_PATTERN, 'Must be a cursor from a response'),
    z.meta({ minLength: CURSOR_CHARACTERS, maxLength: CURSOR_CHARACTERS }),
  );

/** The parts of a request that the feed reads, and its input. */
export const feedRequestSchema = z.pipe(
  z.object({ query: z.object({ after: once(cursorSchema), limit: pageLimit() }) }),
  z.transform(({ query }) => query),
);

/** The names of the feed in other APIs. */
export const FEED_FOREIGN_NAMES: ForeignNames = {
  query: {
    unsupported: [
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
