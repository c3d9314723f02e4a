import type { Cursor } from './cursor.ts';
import { EVENT_KEPT_MS, isDeletable } from './event-age.ts';
import type { LogEntry } from './event-item.ts';

/**
 * Why numbers are missing below an event, so that a page ends before it:
 *
 * - `pending`: their events are about to become visible. Read again.
 * - `lost`: their events are no longer kept, and the reader has not seen them.
 */
type Gap = 'pending' | 'lost';

/**
 * The events of one transaction become visible one by one. If an event is younger than this, a missing number below it is
 * about to become visible. No transaction takes as long.
 */
const BECOMING_VISIBLE_MS = 60_000;

/**
 * The gap between a number and the next entry. The first row that fits decides:
 *
 * | The entry                       | The reader                         | The missing events          | Gap       |
 * | ------------------------------- | ---------------------------------- | --------------------------- | --------- |
 * | has the next number             |                                    | none                        |           |
 * | has an `oldUntil`               | is at that number, or below it     | are old, or never existed   |           |
 * | is dated within a minute of now |                                    | are about to become visible | `pending` |
 * | has another date                | is 30 days behind, as at the start | were deleted                |           |
 * | has another date                | is less far behind                 | are lost                    | `lost`    |
 */
const gapBefore = (
  { sequence, oldUntil, recordedAtMs }: LogEntry,
  before: number,
  { seenUntilMs }: Cursor,
  nowMs: number,
): Gap | undefined => {
  if (sequence === before + 1) return undefined;
  if (oldUntil !== undefined && before <= oldUntil) return undefined;
  if (Math.abs(nowMs - recordedAtMs) <= BECOMING_VISIBLE_MS) return 'pending';
  return seenUntilMs <= nowMs - EVENT_KEPT_MS ? undefined : 'lost';
};

/**
 * The entries that a reader may read, of those stored after a cursor: none that TTL may delete, up to the first gap. TTL deletes in
 * any order, so all up to the last one that it may delete are passed, with the numbers missing between them.
 *
 * @returns the cursor before the entries, the entries, and the gap after them, if any
 */
export const readableEntries = (from: Cursor, stored: readonly LogEntry[], nowMs: number) => {
  const passed = stored.findLastIndex((entry) => isDeletable(entry, nowMs));
  const cursor: Cursor = { ...from, sequence: stored[passed]?.sequence ?? from.sequence };
  const kept = stored.slice(passed + 1);
  const gaps = kept.map((entry, index) =>
    gapBefore(entry, (kept[index - 1] ?? cursor).sequence, cursor, nowMs),
  );
  const end = gaps.findIndex((gap) => gap !== undefined);
  return { cursor, entries: end === -1 ? kept : kept.slice(0, end), gap: gaps[end] };
};
