import { formatCursor } from '../../../lib/events/cursor.ts';
import { NOW_MS } from '../clock.ts';
import { CREATED_AT_MS } from '../domain/payments.ts';
import { READ_OWN_SECRET } from './denied.ts';
import type { HttpFunctionRow, IsolatedRow, MeasuredRow, MerchantRow } from './row-types.ts';
import { STORED } from './stored.ts';

/** The beginning of the log of {@link STORED}'s store. Without a cursor, a page takes further reads. */
const CURSOR = formatCursor(STORED.cart, { sequence: 0, seenUntilMs: CREATED_AT_MS });

/** The operations that list events. */
export const EVENT_OPERATIONS = {
  listEvents: {
    request: { query: { after: CURSOR } },
    status: 200,
    calls: ['key', 'read'],
    malformedItems: [['an event without a body', { log: 'test#store-1', sequence: 1 }]],
    isolation: (owner) => [
      {},
      { query: { after: formatCursor(owner, { sequence: 0, seenUntilMs: NOW_MS - 1 }) } },
    ],
    prepare: async ({ givenEvents }) => ({ apiKey: await givenEvents('store-of-a-page') }),
  },
} as const satisfies Readonly<Record<string, MerchantRow & IsolatedRow & MeasuredRow>>;

/** The functions of these operations. */
export const EVENT_LIST_FUNCTIONS = {
  'list-events': {
    load: async () => (await import('../../../functions/list-events/handler.ts')).listEvents,
    warmUp: { connections: 1, calls: ['UpdateItem api-keys'] },
    denied: [READ_OWN_SECRET],
  },
} as const satisfies Readonly<Record<string, HttpFunctionRow>>;
