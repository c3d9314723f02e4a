import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { formatCursor } from '../../../lib/events/cursor.ts';
import { counterKey } from '../../../lib/events/event-counter.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { readFeed } from '../../../lib/events/feed.ts';
import { type LogId, type LoggedEvent, logKey } from '../../../lib/events/logged-event.ts';
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

/** Stores events by their age in days. The events before the first one are old, or there are none. */
const givenEvents = async (
  log: LogId,
  daysOld: readonly number[],
  { bytes = 0, begin = FIRST, ...given }: { bytes?: number; begin?: number; oldUntil?: number } = {},
) => {
  const { oldUntil = begin === FIRST ? 0 : begin - 1 } = given;
  const events = daysOld.map((days, index): LoggedEvent => ({
    ...log,
    sequence: begin + index,
    id: `evt_${begin + index}`,
    type: 'cart.completed',
    cartId: 'cart',
    recordedAtMs: NOW_MS - days * DAY_MS + index,
    body: JSON.stringify({ id: `evt_${begin + index}`, type: 'cart.completed', text: 'x'.repeat(bytes) }),
    ...(index === 0 && { oldUntil }),
  }));
  for (const event of events)
    await documents.send(new PutCommand({ TableName: tableNames.events, Item: toEventItem(event) }));
};

const putCounter = (log: LogId, counter: object) =>
  documents.send(new PutCommand({ TableName: tableNames.events, Item: { ...counterKey(log), ...counter } }));

/** Deletes events, as the table's TTL does in any order, or a person by hand. */
const deleteEvents = async (log: LogId, ...sequences: readonly number[]): Promise<void> => {
  for (const sequence of sequences) {
    const Key = { log: logKey(log), sequence };
    await documents.send(new DeleteCommand({ TableName: tableNames.events, Key }));
  }
};

const read = async (log: LogId, after?: string, { limit = 100, nowMs = NOW_MS } = {}) => {
  const result = await readFeed({ log, after, limit, nowMs }, store);
  if (result.outcome === 'rejected') throw new Error(result.reason);
  const { events, cursor, hasMore } = result.page;
  return { numbers: events.map(({ sequence }) => sequence), cursor, hasMore };
};

/** Follows the cursors to the end of the log. */
const readAll = async (log: LogId, after?: string, options = {}): Promise<readonly number[]> => {
  const { numbers, cursor, hasMore } = await read(log, after, options);
  return hasMore ? [...numbers, ...(await readAll(log, cursor, options))] : numbers;
};

const cursorAt = (log: LogId, sequence: number, daysOld: number): string =>
  formatCursor(log, { sequence, seenUntilMs: NOW_MS - daysOld * DAY_MS });

const append = async (log: LogId): Promise<void> => {
  const event = cartEvent({ type: 'cart.completed', cart: waitingCart(log), cause: 'payment' });
  await eventLogOf(database).append(log, { event, writes: [] });
};

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
    ['another store', (log: LogId) => ({ ...log, storeId: randomUUID() })],
    ['another mode', (log: LogId) => ({ ...log, mode: 'test' as const })],
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

describe('after the loss of events', () => {
  const LATER = { nowMs: NOW_MS + 120_000 };

  it('a cursor is rejected if the log began again, and a new reader gets its events', async () => {
    const log = givenLog();
    await givenEvents(log, [20]);
    const { cursor } = await read(log);
    // The table was lost: the writer knows no earlier event.
    await deleteEvents(log, FIRST);
    await givenEvents(log, [0, 0], { begin: FIRST + 5_000, oldUntil: 0 });
    await expect(read(log, cursor, LATER)).rejects.toThrow('expiredCursor');
    expect(await read(log)).toMatchObject({ numbers: [FIRST + 5_000, FIRST + 5_001] });
  });

  it('a cursor is rejected if the log was restored, and a new reader begins behind the gap', async () => {
    const log = givenLog();
    await givenEvents(log, [3, 2, 1]);
    const readers = [FIRST, FIRST + 2, FIRST + 7].map((sequence) => cursorAt(log, sequence, 1));
    await putCounter(log, { last: NOW_MS, lastRecordedAtMs: NOW_MS, startAfter: NOW_MS });
    for (let i = 0; i < 3; i += 1) await append(log);
    expect((await read(log, readers[0])).numbers).toStrictEqual([FIRST + 1, FIRST + 2]);
    for (const cursor of readers.slice(1)) {
      await expect(read(log, cursor, LATER)).rejects.toThrow('expiredCursor');
    }
    // However short its pages are.
    expect(await readAll(log, undefined, { limit: 1 })).toStrictEqual([1, 2, 3].map((n) => NOW_MS + n));
  });
});

describe('an entry whose body is not of its type', () => {
  const forged = (log: LogId, sequence: number, body: object, text = JSON.stringify(body)) => ({
    log: logKey(log),
    ...{ sequence, id: 'evt_forged', type: 'webhook_endpoint.created', recordedAtMs: NOW_MS },
    endpointBody: text,
  });
  const IDS = { id: 'evt_forged', type: 'cart.completed' };

  it.each([
    ['in an attribute of another family', { type: 'cart.completed' }, IDS],
    ['with another type', {}, IDS],
    ['with a second type', {}, { ...IDS, type: 'webhook_endpoint.created', Type: 'cart.completed' }],
    ['with another id', {}, { id: 'evt_other', type: 'webhook_endpoint.created' }],
    ['in two attributes', { paymentBody: '{}' }, { ...IDS, type: 'webhook_endpoint.created' }],
  ])('%s is left out, and hides none behind it', async (_, changes, body) => {
    const log = givenLog();
    await givenEvents(log, [1]);
    for (const sequence of [FIRST + 1, FIRST + 2]) {
      const Item = { ...forged(log, sequence, body), ...changes };
      await documents.send(new PutCommand({ TableName: tableNames.events, Item }));
    }
    await givenEvents(log, [0], { begin: FIRST + 3, oldUntil: 0 });
    for (const limit of [1, 100]) {
      expect(await readAll(log, undefined, { limit })).toStrictEqual([FIRST, FIRST + 3]);
    }
    await expect(store.find(log, FIRST + 1, NOW_MS)).rejects.toThrow('no valid body');
  });

  it('is left out if a second type comes first, which some parsers take', async () => {
    const log = givenLog();
    const text = '{"type":"cart.completed","id":"evt_forged","type":"webhook_endpoint.created"}';
    const Item = forged(log, FIRST, {}, text);
    await documents.send(new PutCommand({ TableName: tableNames.events, Item }));
    expect((await store.after(log, 0, 10)).events).toStrictEqual([]);
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
