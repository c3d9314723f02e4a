import { CLOCK_DIFFERENCE_MAX_MS } from '../core/clock.ts';
import type { Item } from '../database/documents.ts';
import { DAY_MS } from '../core/durations.ts';
import { parseJson } from '../core/parse-json.ts';
import {
  assertReadable,
  type ItemSchema,
  schemaVersionOf,
  UnreadableItemError,
} from '../database/schema-version.ts';
import { BODY_ATTRIBUTES, bodyAttributeOf, type EventFamily } from './event-types.ts';
import { type EventBody, type LoggedEvent, logKey, parseLogKey } from './logged-event.ts';

const EVENT_SCHEMA: ItemSchema = { kind: 'event', version: 1 };

/** How long readers can read an event, at least. From then on, a writer whose clock is ahead may take the event for old. */
export const EVENT_KEPT_MS = 30 * DAY_MS;

/** The age at which an event is old: the cursors before it expire, and the next event of its log says so. */
export const EVENT_OLD_MS = 31 * DAY_MS;

/** The age at which the table's TTL may delete an event, a day later for clocks that differ. */
export const EVENT_DELETED_MS = 32 * DAY_MS;

type Dated = Pick<LoggedEvent, 'recordedAtMs'>;

/** Whether an event is dated further ahead than two right clocks can differ: the clock of its writer was wrong. */
export const isDatedAhead = ({ recordedAtMs }: Dated, nowMs: number): boolean =>
  recordedAtMs > nowMs + CLOCK_DIFFERENCE_MAX_MS;

/** Whether an event is so old that TTL may delete it soon, or has already deleted one after it. */
export const isOld = ({ recordedAtMs }: Dated, nowMs: number): boolean => recordedAtMs < nowMs - EVENT_OLD_MS;

/** Whether TTL may delete an event, and may have deleted others beside it. */
export const isDeletable = ({ recordedAtMs }: Dated, nowMs: number): boolean =>
  recordedAtMs < nowMs - EVENT_DELETED_MS;

/** A place in a log: the number and the time of an event. */
export type Place = Pick<LoggedEvent, 'sequence' | 'recordedAtMs'>;

/** The item that stores an event in the table `events`. */
export const toEventItem = ({ storeId, mode, body, ...event }: LoggedEvent) => ({
  log: logKey({ storeId, mode }),
  ...event,
  [bodyAttributeOf(event.type)]: body,
  deleteAtSeconds: Math.ceil((event.recordedAtMs + EVENT_DELETED_MS) / 1_000),
  ...schemaVersionOf(EVENT_SCHEMA),
});

/** The attributes of the item of any event, besides its body. */
const ATTRIBUTES = 'log sequence id type recordedAtMs oldUntil deleteAtSeconds schemaVersion'.split(' ');

/** The attributes of the items of events of some families. Only an event of a cart has a `cartId`. */
export const eventAttributesOf = (families: readonly EventFamily[]): readonly string[] => [
  ...ATTRIBUTES,
  ...(families.some((family) => family !== 'endpoint') ? ['cartId'] : []),
  ...families.map((family) => BODY_ATTRIBUTES[family]),
];

/** The type of each field that every event has, besides its body. */
const FIELDS = Object.entries({
  log: 'string',
  sequence: 'number',
  id: 'string',
  type: 'string',
  recordedAtMs: 'number',
});

/**
 * The body of an event, if it is in the attribute of its type's family alone, and has the id and the type of the item, a timestamp
 * and data.
 *
 * Parsers of JSON differ: of two names `type`, receivers take the first or the last one, and some ignore case. The first one is in
 * the text, the last one in the parsed value.
 */
const bodyOf = (item: Item): string | undefined => {
  const { id, type } = item as { readonly id: string; readonly type: string };
  const present = Object.values(BODY_ATTRIBUTES).filter((name) => item[name] !== undefined);
  const text = item[bodyAttributeOf(type)];
  if (present.length !== 1 || typeof text !== 'string') return undefined;
  const body = parseJson(text) as Partial<EventBody> | null | undefined;
  const types = Object.keys(body ?? {}).filter((name) => name.toLowerCase() === 'type');
  const begins = text.startsWith(`${JSON.stringify({ id, type }).slice(0, -1)},`);
  const isOfItem = begins && body?.id === id && body.type === type && types.length === 1;
  return isOfItem && typeof body.timestamp === 'string' && typeof body.data === 'object' ? text : undefined;
};

/** A place of a log, with its event. */
export interface LogEntry extends Place, Pick<LoggedEvent, 'id' | 'cartId' | 'oldUntil'> {
  /**
   * Absent if the item has its body in an attribute of another family, or the body of another event: a role wrote it that may not
   * write events of this type.
   */
  readonly event?: LoggedEvent;
}

/**
 * The entry of a stored item.
 *
 * @param item as the document client or `unmarshall` returns it
 * @throws UnreadableItemError if the item has a later schema version, or if a field is missing or has another type
 */
export const entryOf = (item: Item): LogEntry => {
  assertReadable(EVENT_SCHEMA, item, FIELDS);
  const { log, type, ...stored } = item as unknown as LoggedEvent & { readonly log: string };
  const { sequence, recordedAtMs, id, cartId, oldUntil } = stored;
  const entry = { sequence, recordedAtMs, id, cartId, ...(oldUntil !== undefined && { oldUntil }) };
  const body = bodyOf(item);
  return body === undefined ? entry : { ...entry, event: { ...parseLogKey(log), ...entry, type, body } };
};

/**
 * The event of a stored item: the inverse of {@link toEventItem}.
 *
 * @param item as the document client or `unmarshall` returns it
 * @throws UnreadableItemError as {@link entryOf}, or if the entry has no event
 */
export const fromEventItem = (item: Item): LoggedEvent => {
  const { event } = entryOf(item);
  if (event) return event;
  throw new UnreadableItemError('A stored event has no valid body of its type');
};
