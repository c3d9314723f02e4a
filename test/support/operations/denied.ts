import { eventAttributesOf } from '../../../lib/events/event-item.ts';
import { BODY_ATTRIBUTES, type EventFamily } from '../../../lib/events/event-types.ts';
import { IDEMPOTENCY_SECRET_IDS } from '../../../lib/idempotency/idempotency-secret.ts';
import type { ItemCall } from '../functions/iam.ts';
import { type DeniedCall, on } from './row-types.ts';

export const READ_OWN_SECRET: DeniedCall = [
  "read the stage's own secret",
  on('secrets', 'GetItem', IDEMPOTENCY_SECRET_IDS.carts),
];

export const MOVE_KEY: DeniedCall = [
  'move a key to another store',
  on('apiKeys', 'UpdateItem', 'key', ['keyId', 'storeId']),
];

export const CART_ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';

export const WRITE_LIVE_CART: DeniedCall = ['write a live cart', on('carts', 'PutItem', CART_ID)];

/** Writes an event of a family. */
export const writeEvent = (family: EventFamily, log = 'live#shop'): ItemCall =>
  on('events', 'PutItem', log, eventAttributesOf([family]));

const EVENT_FAMILIES = Object.keys(BODY_ATTRIBUTES) as EventFamily[];

/** Writes live events of other families. Only one function may write that money moved, into a live log. */
export const writeEventsExcept = (...families: readonly EventFamily[]): DeniedCall[] =>
  EVENT_FAMILIES.filter((family) => !families.includes(family)).map(
    (family) => [`write a live event of the family ${family}`, writeEvent(family)] as const,
  );
