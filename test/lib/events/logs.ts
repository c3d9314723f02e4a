import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { formatCursor } from '../../../lib/events/cursor.ts';
import { counterKey } from '../../../lib/events/event-counter.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import { readFeed } from '../../../lib/events/feed.ts';
import { type LoggedEvent, logKey } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { putItems } from '../../support/database/put-items.ts';
import { eventLogOf } from '../../support/domain/event-logs.ts';
import { waitingCart } from '../../support/domain/payments.ts';

export const DAY_MS = 86_400_000;

/** The number of the first event of a test's log. */
export const FIRST = 1_000;

/** Writes and reads logs of a database. */
export const givenLogs = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const repository = createEventRepository(documents, tableNames.events);

  const put = (Item: object): Promise<unknown> =>
    documents.send(new PutCommand({ TableName: tableNames.events, Item: { ...Item } }));

  const givenLog = (): StoreMode => ({ storeId: randomUUID(), mode: 'live' });

  /** Stores events by their age in days. The events before the first one are old, or there are none. */
  const givenEvents = async (
    log: StoreMode,
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
      body: JSON.stringify({
        id: `evt_${begin + index}`,
        type: 'cart.completed',
        timestamp: '',
        data: { text: 'x'.repeat(bytes) },
      }),
      ...(index === 0 && { oldUntil }),
    }));
    await putItems(documents, tableNames.events, events.map(toEventItem));
  };

  const putCounter = (log: StoreMode, counter: object) => put({ ...counterKey(log), ...counter });

  /** Deletes events, as the table's TTL does in any order, or a person by hand. */
  const deleteEvents = async (log: StoreMode, ...sequences: readonly number[]): Promise<void> => {
    for (const sequence of sequences) {
      const Key = { log: logKey(log), sequence };
      await documents.send(new DeleteCommand({ TableName: tableNames.events, Key }));
    }
  };

  const read = async (log: StoreMode, after?: string, { limit = 100, nowMs = NOW_MS } = {}) => {
    const result = await readFeed({ storeMode: log, after, limit, nowMs }, repository);
    if (result.outcome === 'rejected') throw new Error(result.reason);
    const { events, cursor, hasMore } = result.page;
    return { numbers: events.map(({ sequence }) => sequence), cursor, hasMore };
  };

  /** Follows the cursors to the end of the log. */
  const readAll = async (log: StoreMode, after?: string, options = {}): Promise<readonly number[]> => {
    const { numbers, cursor, hasMore } = await read(log, after, options);
    return hasMore ? [...numbers, ...(await readAll(log, cursor, options))] : numbers;
  };

  const cursorAt = (log: StoreMode, sequence: number, daysOld: number): string =>
    formatCursor(log, { sequence, seenUntilMs: NOW_MS - daysOld * DAY_MS });

  const append = async (log: StoreMode): Promise<void> => {
    const event = cartEvent({ type: 'cart.completed', cart: waitingCart(log), cause: 'payment' });
    await eventLogOf(database).append(log, { event, writes: [] });
  };

  return {
    database,
    repository,
    put,
    givenLog,
    givenEvents,
    putCounter,
    deleteEvents,
    read,
    readAll,
    cursorAt,
    append,
  };
};
