import * as z from 'zod/mini';
import { parseRfc3339 } from '../../core/timestamps.ts';
import type { ForeignNames } from '../../requests/foreign-names.ts';
import { once, pageLimit } from '../../requests/query-parameters.ts';
import { DELIVERY_ID_CHARACTERS, DELIVERY_ID_PATTERN, parsePublicDeliveryId } from './delivery-view.ts';

/** The deliveries of a page, unless the request has a limit. */
export const DELIVERIES_LIMIT_DEFAULT = 20;

/** A time of RFC 3339, such as the `recordedAt` of a delivery. */
export const beforeSchema = z.string().check(
  z.refine((text) => parseRfc3339(text) !== undefined, 'Must be the recordedAt of a delivery'),
  z.meta({ format: 'date-time' }),
);

/** The cursor of a page is the id of its last delivery. */
export const deliveriesCursorSchema = z
  .string()
  .check(
    z.regex(DELIVERY_ID_PATTERN, 'Must be a cursor from a response'),
    z.meta({ minLength: DELIVERY_ID_CHARACTERS, maxLength: DELIVERY_ID_CHARACTERS }),
  );

/** The query of a list of deliveries, as the values of each parameter. */
export const deliveriesQuerySchema = z.pipe(
  z
    .object({
      after: once(deliveriesCursorSchema),
      before: once(beforeSchema),
      limit: pageLimit(DELIVERIES_LIMIT_DEFAULT),
    })
    .check(
      z.refine(({ after, before }) => after === undefined || before === undefined, {
        path: ['before'],
        message: 'Send after or before, not both',
      }),
    ),
  z.transform(({ after, before, limit }) => ({
    after: parsePublicDeliveryId(after),
    beforeMs: before === undefined ? undefined : parseRfc3339(before),
    limit,
  })),
);

/** The names of a list of deliveries in other APIs. The list goes back in time. */
export const LIST_DELIVERIES_FOREIGN_NAMES: ForeignNames = {
  query: {
    aliases: { before: 'endingbefore pagebefore until' },
    unsupported: [
      {
        names: 'status type eventtype eventid order sort',
        reason: 'the list has all deliveries, the latest first',
      },
    ],
  },
};
