import type { StoreMode } from '../stores/mode.ts';
import { type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { EVENT_KEPT_MS, EVENT_OLD_MS, isDatedAhead } from './event-age.ts';
import { type LogEntry, eventsAmong } from './event-item.ts';
import type { EventRepository } from './event-repository.ts';
import { readableEntries } from './gaps.ts';
import type { LoggedEvent } from './logged-event.ts';

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
  readonly storeMode: StoreMode;
  /** The text of a cursor. By default, the feed starts with the oldest stored event. */
  readonly after?: string | undefined;
  /** The most events of the page. */
  readonly limit: number;
  readonly nowMs: number;
}

const EXPIRED = { outcome: 'rejected', reason: 'expiredCursor' } as const;

/** The cursor of a reader without one. */
const startAt = (nowMs: number): Cursor => ({ sequence: 0, seenUntilMs: nowMs - EVENT_KEPT_MS });

/** The cursor after entries. An event that is dated ahead leaves `seenUntilMs` as it is: its date proves nothing. */
const cursorAfter = (cursor: Cursor, entries: readonly LogEntry[], nowMs: number): Cursor => {
  const last = entries.at(-1);
  if (!last) return cursor;
  const { sequence, recordedAtMs } = last;
  if (isDatedAhead(last, nowMs)) return { ...cursor, sequence };
  return { sequence, seenUntilMs: Math.max(cursor.seenUntilMs, recordedAtMs) };
};

/**
 * Reads a page of a log. A reader who follows the cursors sees each event once, in the order of its number: an
 * event becomes visible after all events with lower numbers, and a page ends before a gap.
 *
 * The first events of a log may also become visible one by one. Until the first one is visible, the page is empty.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readFeed = async (
  { storeMode, after, limit, nowMs }: FeedRequest,
  repository: EventRepository,
  signal?: AbortSignal,
): Promise<FeedRead> => {
  const from = after === undefined ? startAt(nowMs) : parseCursor(storeMode, after);
  if (!from) return { outcome: 'rejected', reason: 'badCursor' };
  if (from.seenUntilMs < nowMs - EVENT_OLD_MS) return EXPIRED;
  const stored = await (after === undefined
    ? repository.first(storeMode, limit, signal)
    : repository.after(storeMode, from.sequence, limit, signal));
  const begin = { ...from, sequence: stored.begin };
  const { cursor, entries, gap } = readableEntries(begin, stored.entries, nowMs);
  // Reject the cursor, so that the reader learns of the loss.
  if (gap === 'lost' && entries.length === 0) return EXPIRED;
  const hasMore = stored.hasMore || gap !== undefined;
  const next = { ...cursorAfter(cursor, entries, nowMs), ...(!hasMore && { seenUntilMs: nowMs }) };
  const events = eventsAmong(entries);
  return { outcome: 'read', page: { events, cursor: formatCursor(storeMode, next), hasMore } };
};
