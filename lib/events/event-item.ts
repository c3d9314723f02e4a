import { parseJson } from '../core/parse-json.ts';
import type { Item } from '../database/documents.ts';
import {
  assertReadable,
  type ItemSchema,
  schemaVersionOf,
  UnreadableItemError,
} from '../database/readable-item.ts';
import { EVENT_DELETED_MS } from './event-age.ts';
import { BODY_ATTRIBUTES, bodyAttributeOf, type EventFamily } from './event-types.ts';
import { type EventBody, type LoggedEvent, logKey, parseLogKey, type Position } from './logged-event.ts';

const EVENT_SCHEMA: ItemSchema = { kind: 'event', version: 1 };

/** The item that stores an event in the table `events`. */
export const toEventItem = ({ storeId, mode, body, ...event }: LoggedEvent) => ({
  log: logKey({ storeId, mode }),
  ...event,
  [bodyAttributeOf(event.type)]: body,
  deleteAtSeconds: Math.ceil((event.recordedAtMs + EVENT_DELETED_MS) / 1_000),
  ...schemaVersionOf(EVENT_SCHEMA),
});

/** The type of each field that every event has, besides its body. */
const FIELDS = Object.entries({
  log: 'string',
  sequence: 'number',
  id: 'string',
  type: 'string',
  recordedAtMs: 'number',
});

/** The attributes of the items of events of some families. Only an event of a cart has a `cartId`. */
export const eventAttributesOf = (families: readonly EventFamily[]): readonly string[] => [
  ...FIELDS.map(([name]) => name),
  'oldUntil',
  'deleteAtSeconds',
  'schemaVersion',
  ...(families.some((family) => family !== 'endpoint') ? ['cartId'] : []),
  ...families.map((family) => BODY_ATTRIBUTES[family]),
];

/**
 * The body of an event, if it is in the attribute of its type's family alone, and has the id and the type of the item, a timestamp
 * and data.
 *
 * Receivers' parsers differ: of two names `type`, some take the first and some the last one, and some ignore case. So the text
 * begins with the item's type, the parsed value has it too, and no other name is `type` in any case.
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

/** A position in a log, with its event. */
export interface LogEntry extends Position, Pick<LoggedEvent, 'id' | 'cartId' | 'oldUntil'> {
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

/** The events of entries. */
export const eventsAmong = (entries: readonly LogEntry[]): readonly LoggedEvent[] =>
  entries.flatMap(({ event }) => event ?? []);

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
