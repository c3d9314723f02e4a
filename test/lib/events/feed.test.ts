import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatCursor } from '../../../lib/events/cursor.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { NOW_MS } from '../../support/clock.ts';
import { DAY_MS, FIRST, givenLogs } from './logs.ts';

const { givenLog, givenEvents, putCounter, deleteEvents, read, readAll, cursorAt, append } =
  await givenLogs();

describe('a page', () => {
  it('has the next events, and shows whether there are more', async () => {
    const log = givenLog();
    await givenEvents(log, [3, 3, 3, 3, 3]);
    const first = await read(log, undefined, { limit: 2 });
    expect(first).toMatchObject({ numbers: [FIRST, FIRST + 1], hasMore: true });
    const second = await read(log, first.cursor, { limit: 3 });
    expect(second).toMatchObject({ numbers: [FIRST + 2, FIRST + 3, FIRST + 4], hasMore: false });
    expect(await read(log, second.cursor)).toMatchObject({ numbers: [], hasMore: false });
  });

  it('ends at 1 MB, and the next one continues', async () => {
    const log = givenLog();
    // A page may end after the item that passes 1 MB.
    await givenEvents(log, [1, 1, 1, 1, 1], { bytes: 300_000 });
    const first = await read(log);
    expect(first.hasMore).toBe(true);
    expect(first.numbers.length).toBeLessThan(5);
    const second = await read(log, first.cursor);
    expect([...first.numbers, ...second.numbers]).toStrictEqual([0, 1, 2, 3, 4].map((n) => FIRST + n));
    expect(second.hasMore).toBe(false);
  });

  it('of an empty log has a cursor, which later finds the first event', async () => {
    const log = givenLog();
    const empty = await read(log);
    expect(empty).toMatchObject({ numbers: [], hasMore: false });
    await givenEvents(log, [0]);
    expect(await read(log, empty.cursor)).toMatchObject({ numbers: [FIRST] });
  });

  it('ends before a missing number, because the events of one transaction become visible one by one', async () => {
    const log = givenLog();
    await givenEvents(log, [0, 0, 0, 0]);
    await deleteEvents(log, FIRST + 2);
    const first = await read(log);
    expect(first).toMatchObject({ numbers: [FIRST, FIRST + 1], hasMore: true });
    const minuteOldMs = NOW_MS + 3 + 60_000;
    for (const nowMs of [NOW_MS, minuteOldMs]) {
      const waiting = await read(log, first.cursor, { nowMs });
      expect(waiting).toMatchObject({ numbers: [], hasMore: true, cursor: first.cursor });
    }
    // Later, the number is missing for good: never a silent gap.
    await expect(read(log, first.cursor, { nowMs: minuteOldMs + 1 })).rejects.toThrow('expiredCursor');
  });
});

describe('a cursor', () => {
  it.each([
    ['another store', (log: StoreMode) => ({ ...log, storeId: randomUUID() })],
    ['another mode', (log: StoreMode) => ({ ...log, mode: 'test' as const })],
  ])('of %s is rejected', async (_, change) => {
    const log = givenLog();
    await givenEvents(log, [1]);
    const { cursor } = await read(change(log));
    await expect(read(log, cursor)).rejects.toThrow('badCursor');
  });

  it.each(['', 'x', 'A'.repeat(24), `${'A'.repeat(23)}=`, '🎈'.repeat(12)])(
    'that no response had is rejected: %j',
    async (cursor) => {
      await expect(read(givenLog(), cursor)).rejects.toThrow('badCursor');
    },
  );

  it('is rejected once the events after it may be deleted, even if none was', async () => {
    const log = givenLog();
    await givenEvents(log, [40, 30, 1]);
    expect(await read(log, cursorAt(log, FIRST, 31))).toMatchObject({ numbers: [FIRST + 1, FIRST + 2] });
    const older = formatCursor(log, { sequence: FIRST, seenUntilMs: NOW_MS - 31 * DAY_MS - 1 });
    await expect(read(log, older)).rejects.toThrow('expiredCursor');
  });

  it('of a reader who saw everything stays valid in a log without new events', async () => {
    const log = givenLog();
    await givenEvents(log, [20]);
    const { cursor } = await read(log);
    // 12 days later, the event is too old. A new one follows it.
    const later = { nowMs: NOW_MS + 30 * DAY_MS };
    expect(await read(log, cursor, later)).toMatchObject({ numbers: [], hasMore: false });
    await deleteEvents(log, FIRST);
    expect(await read(log, cursor, later)).toMatchObject({ numbers: [], hasMore: false });
  });

  it('stays valid after all events are deleted, and others follow', async () => {
    const log = givenLog();
    await givenEvents(log, [20]);
    const { cursor } = await read(log);
    await deleteEvents(log, FIRST);
    await givenEvents(log, [0, 0], { begin: FIRST + 5_000 });
    expect(await read(log, cursor)).toMatchObject({ numbers: [FIRST + 5_000, FIRST + 5_001] });
  });
});

describe('an event that is dated ahead', () => {
  it('makes no cursor valid for longer', async () => {
    const log = givenLog();
    await givenEvents(log, [2, -365, 0]);
    const midway = await read(log, cursorAt(log, FIRST, 2), { limit: 1 });
    expect(midway).toMatchObject({ numbers: [FIRST + 1], hasMore: true });
    const untilMs = NOW_MS + 29 * DAY_MS;
    expect(await read(log, midway.cursor, { nowMs: untilMs })).toMatchObject({ numbers: [FIRST + 2] });
    await expect(read(log, midway.cursor, { nowMs: untilMs + 1 })).rejects.toThrow('expiredCursor');

    await deleteEvents(log, FIRST + 2);
    const { cursor } = await read(log, midway.cursor);
    expect(await read(log, cursor, { nowMs: untilMs + 2 * DAY_MS })).toMatchObject({ numbers: [] });
    await expect(read(log, cursor, { nowMs: untilMs + 2 * DAY_MS + 1 })).rejects.toThrow('expiredCursor');
  });

  it('hides none behind it from a reader without a cursor, though TTL deleted those beside it', async () => {
    const log = givenLog();
    await givenEvents(log, [34, -300, -300, 33, 5, 4]);
    await deleteEvents(log, FIRST, FIRST + 3);
    for (const limit of [1, 2, 100]) {
      const numbers = [1, 2, 4, 5].map((index) => FIRST + index);
      expect(await readAll(log, undefined, { limit })).toStrictEqual(numbers);
    }
  });
});

describe('without a cursor, a reader starts with the oldest event that TTL must keep', () => {
  it.each([
    ['all are kept', [32, 2, 1], [], 0],
    ['some are too old', [40, 39, 38, 33, 32, 31, 1, 0], [], 4],
    ['TTL deleted the oldest', [40, 39, 38, 33, 29, 1], [0, 1], 4],
    ['TTL deleted all that are too old', [40, 33, 29, 1], [0, 1], 2],
    ['TTL deleted in any order', [40, 39, 38, 37, 36, 35, 29, 1], [1, 3, 4], 6],
    ['TTL left only the oldest', [40, 39, 38, 37, 29, 1], [1, 2, 3], 4],
  ])('if %s', async (_, daysOld, deleted, oldest) => {
    const log = givenLog();
    await givenEvents(log, daysOld);
    await deleteEvents(log, ...deleted.map((index) => FIRST + index));
    const numbers = daysOld.map((__, index) => FIRST + index).slice(oldest);
    expect(await read(log)).toMatchObject({ numbers, hasMore: false });
    // A page of events that are too old is empty. The next one continues behind it.
    expect(await readAll(log, undefined, { limit: 1 })).toStrictEqual(numbers);
  });

  it('and reads on although TTL deletes events before it, for a day', async () => {
    const log = givenLog();
    await givenEvents(log, [31.9, 31.8, 31.7, 1]);
    const { cursor } = await read(log, undefined, { limit: 1 });
    await deleteEvents(log, FIRST, FIRST + 1);
    const later = NOW_MS + DAY_MS;
    expect(await read(log, cursor, { nowMs: later })).toMatchObject({ numbers: [FIRST + 3], hasMore: false });
    await expect(read(log, cursor, { nowMs: later + 1 })).rejects.toThrow('expiredCursor');
  });

  it('and with none if all are too old, until the next one', async () => {
    const log = givenLog();
    await givenEvents(log, [40, 39]);
    const { cursor, ...page } = await read(log);
    expect(page).toMatchObject({ numbers: [], hasMore: false });
    await append(log);
    expect(await read(log, cursor)).toMatchObject({ numbers: [FIRST + 2] });
  });

  it('and a reader who saw the last event misses no later one, if TTL deleted the last one first', async () => {
    const log = givenLog();
    await givenEvents(log, [34, 33]);
    await putCounter(log, { last: FIRST + 1, lastRecordedAtMs: NOW_MS - 33 * DAY_MS });
    const cursor = cursorAt(log, FIRST + 1, 0);
    await deleteEvents(log, FIRST + 1);
    await append(log);
    await append(log);
    expect(await read(log, cursor)).toMatchObject({ numbers: [FIRST + 2, FIRST + 3] });
    expect(await read(log)).toMatchObject({ numbers: [FIRST + 2, FIRST + 3] });
  });

  it('across a log that was emptied and began again', async () => {
    const log = givenLog();
    await givenEvents(log, [40, 39]);
    await givenEvents(log, [5, 4], { begin: FIRST + 1_000_000_000 });
    const numbers = [FIRST + 1_000_000_000, FIRST + 1_000_000_001];
    expect(await read(log)).toMatchObject({ numbers, hasMore: false });
  });
});
