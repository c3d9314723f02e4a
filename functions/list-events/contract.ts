import * as z from 'zod/mini';
import { EVENT_EXAMPLES } from '../../lib/event-catalogue/event-examples.ts';
import { feedEventSchema } from '../../lib/event-catalogue/event-schemas.ts';
import { cursorSchema } from '../../lib/events/feed-request.ts';
import { PAGE_LIMIT_MAX } from '../../lib/requests/query-parameters.ts';
import { limitParameter } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';

const CURSOR = 'AZrbQ8sAAZrbR1k0c29tZXRo';

export const listEvents: OperationContract = {
  tag: 'Events',
  summary: 'Lists the events of a store, oldest first.',
  description:
    "Lists the events of your key's store and mode. Store the `cursor` after you have handled the events before it, and send it as `after` in the next request: a crash then repeats events, but loses none. You read events in the order of their recording, and the list never leaves out any silently. Events are kept for at least 30 days. If several errors apply, the response is the first of 401, 429 and 422.",
  parameters: [
    {
      name: 'after',
      in: 'query',
      description:
        'The `cursor` of the last response. Without it, the list starts with the oldest kept event. The response is 422 if the cursor is of another store or mode, or if events after it are no longer kept.',
      schema: cursorSchema,
    },
    limitParameter('events'),
  ],
  response: {
    status: 200,
    description: 'The next events, and the cursor after them',
    schema: z
      .object({
        events: z.array(feedEventSchema).check(z.maxLength(PAGE_LIMIT_MAX)),
        cursor: z
          .string()
          .check(z.describe('Send it as `after` to read on. It is valid for 30 days after the response.')),
        hasMore: z
          .boolean()
          .check(
            z.describe(
              'Further events exist, so read on at once. A page can end before `limit`, even without any event.',
            ),
          ),
      })
      .check(z.meta({ id: 'EventList', description: 'Events of a store in one mode' })),
    examples: {
      completed: {
        summary: 'A cart was paid',
        value: { events: [EVENT_EXAMPLES['cart.completed']], cursor: CURSOR, hasMore: false },
      },
      none: { summary: 'Nothing new', value: { events: [], cursor: CURSOR, hasMore: false } },
    },
  },
  errors: [],
};
