import * as z from 'zod/mini';
import { eventTypeSchema } from '../../endpoints/endpoint-request.ts';
import { EVENT_TYPES, PING_TYPE } from '../../events/event-types.ts';
import type { ForeignNames } from '../../requests/foreign-names.ts';
import { once } from '../../requests/query-parameters.ts';

/** The type of a test event. */
export const testTypeSchema = eventTypeSchema([PING_TYPE, ...EVENT_TYPES]);

/** The query of a test event. */
export const testQuerySchema = z.object({ eventType: once(testTypeSchema) });

/** The names of the query in other APIs. */
export const TEST_EVENT_FOREIGN_NAMES: ForeignNames = {
  query: { aliases: { eventType: 'type event eventname topic' } },
};
