import { DAY_MS } from '../core/durations.ts';
import { type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { EVENT_DELETED_MS, EVENT_KEPT_MS, type StoredEvent } from './event-item.ts';
import type { EventPage, EventStore } from './event-store.ts';
import { sequenceBefore } from './sequence-before.ts';
import type { LogId } from './store-event.ts';

/** A page of a feed. */
export interface FeedPage {
  /** The events in their order. Their `body` is the JSON text for the reader. */
  readonly events: readonly StoredEvent[];
  /** The cursor that continues after this page. */
  readonly cursor: string;
  /** Whether the next page already has events. */
  readonly hasMore: boolean;
}

/**
 * - `badCursor`: the text is not a cursor of this log.
 * - `expiredCursor`: events after the cursor are no longer kept.
 */
export type FeedRead =
  | { readonly outcome: 'read'; readonly page: FeedPage }
  | { readonly outcome: 'rejected'; readonly reason: 'badCursor' | 'expiredCursor' };

export interface FeedRequest {
  readonly log: LogId;
  /** The text of a cursor. By default, the feed starts with the oldest kept event. */
  readonly after: string | undefined;
  /** The most events of the page. */
  readonly limit: number;
  readonly nowMs: number;
}

/** The greatest age of a cursor: a day before TTL may delete an event. */
const CURSOR_AGE_MS_MAX = EVENT_DELETED_MS - DAY_MS;

/**
 * The events of one transaction become visible one by one. If an event is younger than this, a missing number below it is
 * about to become visible. No transaction takes as long.
 */
const BECOMING_VISIBLE_MS = 60_000;

const EXPIRED = { outcome: 'rejected', reason: 'expiredCursor' } as const;

/** Whether an event follows the one with a number directly. Numbers are dense within a run. */
const follows = (event: StoredEvent, sequence: number): boolean =>
  event.startsRun || event.sequence === sequence + 1;

/** The events from the first one on, before the first missing number. */
const beforeHole = (events: readonly StoredEvent[]): readonly StoredEvent[] => {
  const hole = events.slice(1).findIndex((event, index) => !follows(event, events[index]?.sequence ?? 0));
  return hole === -1 ? events : events.slice(0, hole + 1);
};

const pageOf = (
  { log, nowMs }: FeedRequest,
  from: Cursor,
  { events: stored, hasMore: hasMoreStored }: EventPage,
): FeedRead => {
  const events = beforeHole(stored);
  const hasMore = hasMoreStored || events.length < stored.length;
  const { sequence, recordedAtMs } = events.at(-1) ?? { ...from, recordedAtMs: from.seenUntilMs };
  const seenUntilMs = hasMore ? recordedAtMs : Math.max(nowMs, recordedAtMs);
  return {
    outcome: 'read',
    page: { events, cursor: formatCursor(log, { sequence, seenUntilMs }), hasMore },
  };
};

/** Reads from the oldest kept event. */
const readFromOldest = async (
  request: FeedRequest,
  store: EventStore,
  signal: AbortSignal | undefined,
): Promise<FeedRead> => {
  const { log, limit, nowMs } = request;
  const sequence = await sequenceBefore(store, log, nowMs - EVENT_KEPT_MS, signal);
  return pageOf(request, { sequence, seenUntilMs: nowMs }, await store.after(log, sequence, limit, signal));
};

/**
 * Reads a page of a log. A reader who follows the cursors sees each event once, in the order of its number: an event becomes
 * visible after all events with lower numbers, and a page ends before the first missing number.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readFeed = async (
  request: FeedRequest,
  store: EventStore,
  signal?: AbortSignal,
): Promise<FeedRead> => {
  const { log, after, limit, nowMs } = request;
  if (after === undefined) return readFromOldest(request, store, signal);
  const cursor = parseCursor(log, after);
  if (!cursor) return { outcome: 'rejected', reason: 'badCursor' };
  if (cursor.seenUntilMs < nowMs - CURSOR_AGE_MS_MAX) return EXPIRED;
  const stored = await store.after(log, cursor.sequence, limit, signal);
  const [next] = stored.events;
  if (!next || follows(next, cursor.sequence)) return pageOf(request, cursor, stored);
  // The events before `next` are no longer kept. Reject the cursor, so that the reader learns of the gap.
  if (next.recordedAtMs < nowMs - BECOMING_VISIBLE_MS) return EXPIRED;
  return { outcome: 'read', page: { events: [], cursor: after, hasMore: true } };
};
