import * as z from 'zod/mini';
import { parseRfc3339 } from '../core/rfc3339.ts';
import type { RequestWords } from '../requests/unknown-names.ts';
import { limitSchema, once, PAGE_WORDS } from '../requests/query-parameters.ts';

/** The deliveries of a page, unless the request has a limit. */
export const DELIVERIES_LIMIT_DEFAULT = 20;

/** A time of RFC 3339, such as the `recordedAt` of a delivery. */
export const beforeSchema = z.string().check(
  z.refine((text) => parseRfc3339(text) !== undefined, 'Must be the recordedAt of a delivery'),
  z.meta({ format: 'date-time' }),
);

/** The query of a list of deliveries, as the values of each parameter. */
export const deliveriesQuerySchema = z.pipe(
  z.object({ before: once(beforeSchema), limit: once(limitSchema) }),
  z.transform(({ before, limit }) => ({
    beforeMs: before === undefined ? undefined : parseRfc3339(before),
    limit: limit === undefined ? DELIVERIES_LIMIT_DEFAULT : Number(limit),
  })),
);

/** The names of a list of deliveries in other APIs. The list goes back in time. */
export const DELIVERY_WORDS: RequestWords = {
  query: {
    others: { before: `${PAGE_WORDS.after} after endingbefore pagebefore until`, limit: PAGE_WORDS.limit },
    missing: [
      {
        names: 'status type eventtype eventid order sort',
        reason: 'the list has all deliveries, the latest first',
      },
    ],
  },
};
