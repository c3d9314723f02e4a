import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { formatCursor } from '../../../lib/events/cursor.ts';
import { type StoredEvent, toEventItem } from '../../../lib/events/event-item.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { readFeed } from '../../../lib/events/feed.ts';
import { type LogId, logKey } from '../../../lib/events/store-event.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../support/database.ts';
import { eventLogOf } from '../../support/events.ts';
import { waitingCart } from '../../support/payments.ts';

const database: TestDatabase = await givenDatabase();
const { documents, tableNames } = database;
const store = createEventStore(documents, tableNames.events);

const DAY_MS = 86_400_000;
/** The number of the first event of a test's log. */
const FIRST = 1_000;

const givenLog = (): LogId => ({ storeId: randomUUID(), mode: 'live' });

/** Stores events by their age in days. The first one starts the log. */
const givenEvents = async (log: LogId, daysOld: readonly number[], bytes = 0, first = FIRST) => {
  const events = daysOld.map((days, index): StoredEvent => ({
    ...log,
    sequence: first + index,
    id: `evt_${first + index}`,
    type: 'cart.completed',
    cartId: 'cart',
    recordedAtMs: NOW_MS - days * DAY_MS + index,
    body: JSON.stringify({ id: `evt_${first + index}`, text: 'x'.repeat(bytes) }),
    startsRun: index === 0,
  }));
  for (const event of events)
    await documents.send(new PutCommand({ TableName: tableNames.events, Item: toEventItem(event) }));
};

/** Deletes events, as the table's TTL does in any order, or a person by hand. */
const deleteEvents = async (log: LogId, ...sequences: readonly number[]): Promise<void> => {
  for (const sequence of sequences) {
    const Key = { log: logKey(log), sequence };
    await documents.send(new DeleteCommand({ TableName: tableNames.events, Key }));
  }
};

const read = async (log: LogId, after?: string, { limit = 100, nowMs = NOW_MS } = {}) => {
  const result = await readFeed({ log, after, limit, nowMs }, store);
  if (result.outcome === 'rejected')
    return { rejected: result.reason, numbers: [], cursor: '', hasMore: false };
  const { events, cursor, hasMore } = result.page;
  return { numbers: events.map(({ sequence }) => sequence), cursor, hasMore };
};

const cursorAt = (log: LogId, sequence: number, daysOld: number): string =>
  formatCursor(log, { sequence, seenUntilMs: NOW_MS - daysOld * DAY_MS });

/** The number of the first event of a run that starts now. */
const NEW_RUN = NOW_MS - (NOW_MS % DAY_MS);

const append = async (log: LogId): Promise<void> => {
  const event = { type: 'cart.completed' as const, cart: waitingCart(log), cause: 'payment' };
  await eventLogOf(database).append(log, { event, writes: [] });
};

const EXPIRED = { rejected: 'expiredCursor' };

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
    await givenEvents(log, [1, 1, 1, 1, 1], 300_000);
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
    const waiting = await read(log, first.cursor);
    expect(waiting).toMatchObject({ numbers: [], hasMore: true, cursor: first.cursor });
    // A minute later, the number is missing for good: never a silent gap.
    const later = { nowMs: NOW_MS + 120_000 };
    expect(await read(log, first.cursor, later)).toMatchObject(EXPIRED);
  });
});

describe('a cursor', () => {
  it.each([
    ['another store', (log: LogId) => ({ ...log, storeId: randomUUID() })],
    ['another mode', (log: LogId) => ({ ...log, mode: 'test' as const })],
  ])('of %s is rejected', async (_, change) => {
    const log = givenLog();
    await givenEvents(log, [1]);
    const { cursor } = await read(change(log));
    expect(await read(log, cursor)).toMatchObject({ rejected: 'badCursor' });
  });

  it.each(['', 'x', 'A'.repeat(24), `${'A'.repeat(23)}=`, '🎈'.repeat(12)])(
    'that no response had is rejected: %j',
    async (cursor) => {
      expect(await read(givenLog(), cursor)).toMatchObject({ rejected: 'badCursor' });
    },
  );

  it('is rejected once the events after it may be deleted, even if none was', async () => {
    const log = givenLog();
    await givenEvents(log, [40, 40, 1]);
    expect(await read(log, cursorAt(log, FIRST, 31))).toMatchObject({ numbers: [FIRST + 1, FIRST + 2] });
    const older = formatCursor(log, { sequence: FIRST, seenUntilMs: NOW_MS - 31 * DAY_MS - 1 });
    expect(await read(log, older)).toMatchObject(EXPIRED);
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

  it('stays valid after all events are deleted and the log starts again', async () => {
    const log = givenLog();
    await givenEvents(log, [20]);
    const { cursor } = await read(log);
    await deleteEvents(log, FIRST);
    await givenEvents(log, [0, 0], 0, FIRST + 5_000);
    expect(await read(log, cursor)).toMatchObject({ numbers: [FIRST + 5_000, FIRST + 5_001] });
  });
});

describe('without a cursor, a reader starts with the oldest kept event', () => {
  it.each([
    ['all are kept', [29, 2, 1], [], 0],
    ['some are too old', [40, 39, 38, 31, 30, 29, 1, 0], [], 4],
    ['TTL deleted the oldest', [40, 39, 38, 31, 29, 1], [0, 1], 4],
    ['TTL deleted in any order', [40, 39, 38, 37, 36, 35, 29, 1], [1, 3, 4], 6],
    ['TTL left only the oldest', [40, 39, 38, 37, 29, 1], [1, 2, 3], 4],
  ])('if %s', async (_, daysOld, deleted, oldest) => {
    const log = givenLog();
    await givenEvents(log, daysOld);
    await deleteEvents(log, ...deleted.map((index) => FIRST + index));
    const numbers = daysOld.map((__, index) => FIRST + index).slice(oldest);
    expect(await read(log)).toMatchObject({ numbers, hasMore: false });
    // By pages too.
    const first = await read(log, undefined, { limit: 1 });
    expect(first).toMatchObject({ numbers: [FIRST + oldest], hasMore: true });
    expect(await read(log, first.cursor)).toMatchObject({ numbers: numbers.slice(1) });
  });

  it('and with none if all are too old, until the next one', async () => {
    const log = givenLog();
    await givenEvents(log, [40, 39]);
    const { cursor, ...page } = await read(log);
    expect(page).toMatchObject({ numbers: [], hasMore: false });
    await append(log);
    expect(await read(log, cursor)).toMatchObject({ numbers: [NEW_RUN] });
  });

  it('and a reader who saw the last event misses no later one, if TTL deleted the last one first', async () => {
    const log = givenLog();
    await givenEvents(log, [34, 33]);
    const cursor = cursorAt(log, FIRST + 1, 0);
    await deleteEvents(log, FIRST + 1);
    await append(log);
    await append(log);
    expect(await read(log, cursor)).toMatchObject({ numbers: [NEW_RUN, NEW_RUN + 1] });
    expect(await read(log)).toMatchObject({ numbers: [NEW_RUN, NEW_RUN + 1] });
  });

  it('across a log that was emptied and began again', async () => {
    const log = givenLog();
    await givenEvents(log, [40, 39]);
    await givenEvents(log, [5, 4], 0, FIRST + 1_000_000_000);
    const numbers = [FIRST + 1_000_000_000, FIRST + 1_000_000_001];
    expect(await read(log)).toMatchObject({ numbers, hasMore: false });
  });
});
