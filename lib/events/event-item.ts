import { DAY_MS } from '../core/durations.ts';
import { CLOCK_ERROR_MS } from '../core/true-clock.ts';
import { assertReadable, schemaVersionOf } from '../core/schema-version.ts';
import { type LoggedEvent, logKey, parseLogKey } from './logged-event.ts';

/** How long readers can read an event, at least. From then on, a writer whose clock is ahead may take the event for old. */
export const EVENT_KEPT_MS = 30 * DAY_MS;

/** The age at which an event is old: the cursors before it expire, and the next event of its log starts a new series. */
export const EVENT_OLD_MS = 31 * DAY_MS;

/** The age at which the table's TTL may delete an event, a day later for clocks that differ. */
export const EVENT_DELETED_MS = 32 * DAY_MS;

type Dated = Pick<LoggedEvent, 'recordedAtMs'>;

/** Whether an event is dated further ahead than two right clocks can differ: the clock of its writer was wrong. */
export const isDatedAhead = ({ recordedAtMs }: Dated, nowMs: number): boolean =>
  recordedAtMs > nowMs + 2 * CLOCK_ERROR_MS;

/** Whether an event is so old that TTL may delete it soon, or has already deleted one after it. */
export const isOld = ({ recordedAtMs }: Dated, nowMs: number): boolean => recordedAtMs < nowMs - EVENT_OLD_MS;

/** Whether TTL may delete an event, and may have deleted others beside it. */
export const isDeletable = ({ recordedAtMs }: Dated, nowMs: number): boolean =>
  recordedAtMs < nowMs - EVENT_DELETED_MS;

/** An event as its log stores it: {@link LoggedEvent}, and a note for the readers of the log. */
export interface StoredEvent extends LoggedEvent {
  /** The log was empty before this event: never used, or all its events were deleted. Its number follows no other. */
  readonly startsSeries: boolean;
}

/** The item that stores an event in the table `events`. */
export const toEventItem = ({ storeId, mode, startsSeries, ...event }: StoredEvent) => ({
  log: logKey({ storeId, mode }),
  ...event,
  ...(startsSeries && { startsSeries }),
  deleteAtSeconds: Math.ceil((event.recordedAtMs + EVENT_DELETED_MS) / 1_000),
  ...schemaVersionOf('event'),
});

/** The type of each field that every event has. */
const FIELDS = Object.entries({
  log: 'string',
  sequence: 'number',
  id: 'string',
  type: 'string',
  recordedAtMs: 'number',
  body: 'string',
});

/**
 * The event of a stored item: the inverse of {@link toEventItem}.
 *
 * @param item as the document client or `unmarshall` returns it
 * @throws UnreadableItemError if the item has a later schema version, or if a field is missing or has another type
 */
export const fromEventItem = (item: Readonly<Record<string, unknown>>): StoredEvent => {
  assertReadable('event', item, FIELDS);
  const event = item as unknown as ReturnType<typeof toEventItem>;
  const { sequence, id, type, cartId, recordedAtMs, body, startsSeries = false } = event;
  return { ...parseLogKey(event.log), sequence, id, type, cartId, recordedAtMs, body, startsSeries };
};
