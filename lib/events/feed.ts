import { type Cursor, formatEventCursor, parseCursor } from './cursor.ts';
import type { LogEntry } from './event-item.ts';
import { EVENT_KEPT_MS, EVENT_OLD_MS, isDatedAhead, isDeletable } from './event-age.ts';
import type { EventRepository } from './event-repository.ts';
import type { LogId, LoggedEvent } from './logged-event.ts';

/** A page of a feed. */
export interface FeedPage {
  /** The events in their order. Their `body` is the JSON text for the reader. */
  readonly events: readonly LoggedEvent[];
  /** The cursor that continues after this page. */
  readonly cursor: string;
  /** The reader has not reached the end of the log. */
  readonly hasMore: boolean;
}

/**
 * - `badCursor`: the text is not a cursor of this log.
 * - `expiredCursor`: events after the cursor are no longer kept.
 */
export type FeedRead =
  | { readonly outcome: 'read'; readonly page: FeedPage }
  | { readonly outcome: 'rejected'; readonly reason: 'badCursor' | 'expiredCursor' };

interface FeedRequest {
  readonly log: LogId;
  /** The text of a cursor. By default, the feed starts with the oldest stored event. */
  readonly after?: string | undefined;
  /** The most events of the page. */
  readonly limit: number;
  readonly nowMs: number;
}

const EXPIRED = { outcome: 'rejected', reason: 'expiredCursor' } as const;

/**
 * The events of one transaction become visible one by one. If an event is younger than this, a missing number below it is
 * about to become visible. No transaction takes as long.
 */
const BECOMING_VISIBLE_MS = 60_000;

/** The cursor of a reader without one. */
const startAt = (nowMs: number): Cursor => ({ sequence: 0, seenUntilMs: nowMs - EVENT_KEPT_MS });

/** Whether the reader starts, or reads events that TTL is about to delete. Missing numbers are then those of deleted events. */
const isStart = ({ seenUntilMs }: Cursor, nowMs: number): boolean => seenUntilMs <= nowMs - EVENT_KEPT_MS;

/** Whether events below this one may not be visible yet. An event with a wrong time counts as old. */
const isBecomingVisible = ({ recordedAtMs }: LogEntry, nowMs: number): boolean =>
  Math.abs(nowMs - recordedAtMs) <= BECOMING_VISIBLE_MS;

/** Moves a cursor past the events that TTL has yet to delete, in any order. */
const skipDeletable = (from: Cursor, stored: readonly LogEntry[], nowMs: number) => {
  const index = stored.findLastIndex((entry) => isDeletable(entry, nowMs));
  return {
    cursor: { ...from, sequence: stored[index]?.sequence ?? from.sequence },
    kept: stored.slice(index + 1),
  };
};

/** The entries that follow a cursor, up to the first missing number. */
const beforeGap = (cursor: Cursor, kept: readonly LogEntry[], nowMs: number): readonly LogEntry[] => {
  const isNext = (entry: LogEntry, index: number): boolean => {
    const before = (kept[index - 1] ?? cursor).sequence;
    return (
      entry.sequence === before + 1 ||
      // The events in between are old. Before the first event of a log, a reader has seen none.
      (entry.oldUntil !== undefined && before <= entry.oldUntil) ||
      (isStart(cursor, nowMs) && !isBecomingVisible(entry, nowMs))
    );
  };
  const gap = kept.findIndex((entry, index) => !isNext(entry, index));
  return gap === -1 ? kept : kept.slice(0, gap);
};

/** The cursor after these entries, if the log has more. An event that is dated ahead does not show what the reader has seen. */
const cursorAfter = (cursor: Cursor, entries: readonly LogEntry[], nowMs: number): Cursor => {
  const last = entries.at(-1);
  if (!last) return cursor;
  const { sequence, recordedAtMs } = last;
  if (isDatedAhead(last, nowMs)) return { ...cursor, sequence };
  return { sequence, seenUntilMs: Math.max(cursor.seenUntilMs, recordedAtMs) };
};

/**
 * Reads a page of a log by one Query. A reader who follows the cursors sees each event once, in the order of its number: an
 * event becomes visible after all events with lower numbers, and a page ends before the first missing number.
 *
 * The first events of a log may also become visible one by one. Until the first one is visible, the page is empty.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readFeed = async (
  { log, after, limit, nowMs }: FeedRequest,
  repository: EventRepository,
  signal?: AbortSignal,
): Promise<FeedRead> => {
  const from = after === undefined ? startAt(nowMs) : parseCursor(log, after);
  if (!from) return { outcome: 'rejected', reason: 'badCursor' };
  if (from.seenUntilMs < nowMs - EVENT_OLD_MS) return EXPIRED;
  const stored = await (after === undefined
    ? repository.first(log, limit, signal)
    : repository.after(log, from.sequence, limit, signal));
  const begin = { ...from, sequence: stored.begin };
  const { cursor, kept } = skipDeletable(begin, stored.entries, nowMs);
  const entries = beforeGap(cursor, kept, nowMs);
  const [first] = kept;
  // The events before the first one are no longer kept. Reject the cursor, so that the reader learns of the gap.
  if (first && entries.length === 0 && !isBecomingVisible(first, nowMs)) return EXPIRED;
  const hasMore = stored.hasMore || entries.length < kept.length;
  const next = { ...cursorAfter(cursor, entries, nowMs), ...(!hasMore && { seenUntilMs: nowMs }) };
  const events = entries.flatMap(({ event }) => event ?? []);
  return { outcome: 'read', page: { events, cursor: formatEventCursor(log, next), hasMore } };
};
