import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { cartEvent, eventIdOf, type CartEvent } from '../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { eventsAmong } from '../../../lib/events/event-item.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import type { LoggedChange } from '../../../lib/events/event-transaction.ts';
import { type LoggedEvent, logKey } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { NOW_MS } from '../../support/clock.ts';
import { beforeCalls, mockDocuments } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { eventLogOf } from '../../support/domain/event-logs.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { givenPauses } from '../../support/pauses.ts';

const database = await givenDatabase();
const { documents, tableNames } = database;
const repository = createEventRepository(documents, tableNames.events);

const DAY_MS = 86_400_000;

const givenLog = (): StoreMode => ({ storeId: randomUUID(), mode: 'live' });

const completedEvent = (cart: Cart, cause = 'payment') => ({ type: 'cart.completed', cart, cause }) as const;

/** A change whose only write is an item of its own. It is rejected if the item exists. */
const changeOf = (log: StoreMode, id: string = randomUUID(), data: object = {}): LoggedChange => ({
  event: cartEvent(completedEvent(waitingCart(log))),
  writes: [
    {
      Put: {
        TableName: tableNames.carts,
        Item: { id, ...data },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    },
  ],
});

const largeChangeOf = (log: StoreMode, bytes: number): LoggedChange =>
  changeOf(log, randomUUID(), { text: 'x'.repeat(bytes) });

const largeMapOf = (log: StoreMode, bytes: number): LoggedChange =>
  changeOf(log, randomUUID(), { meta: new Map([['text', 'x'.repeat(bytes)]]) });

/** A log with a client of its own, and the number of transactions that it has sent. */
const givenCountedLog = () => {
  const own = database.newClient();
  let transactions = 0;
  beforeCalls(own, (input) => {
    if ('TransactItems' in input) transactions += 1;
  });
  const { append } = createEventLog(own, tableNames.events, { now: () => NOW_MS });
  return { append, transactions: () => transactions };
};

/** Records an event by a writer whose clock shows this time. */
const appendAt = (log: StoreMode, timeMs: number) =>
  eventLogOf(database, () => timeMs).append(log, changeOf(log));

const eventsIn = async (log: StoreMode) => eventsAmong((await repository.after(log, 0, 1_000)).entries);

/** The differences between the numbers of a log's events. */
const stepsIn = async (log: StoreMode): Promise<readonly number[]> => {
  const numbers = (await eventsIn(log)).map(({ sequence }) => sequence);
  return numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
};

describe('a log', () => {
  it('has consecutive numbers, and increasing times while the clocks of its writers are right', async () => {
    const log = givenLog();
    // Each clock is wrong by at most 2 s.
    for (const skewMs of [0, -2_000, 2_000, -2_000, 0]) await appendAt(log, NOW_MS + skewMs);
    const events = await eventsIn(log);
    const first = events[0]?.sequence ?? 0;
    expect(events.map(({ sequence }) => sequence - first)).toStrictEqual([0, 1, 2, 3, 4]);
    const times = events.map(({ recordedAtMs }) => recordedAtMs - NOW_MS);
    expect(times).toStrictEqual([0, 1, 2_000, 2_001, 2_002]);
    expect(first).toBe(NOW_MS);
    expect(events.map(({ oldUntil }) => oldUntil)).toStrictEqual([0, ...Array(4).fill(undefined)]);
  });

  it.each([
    ['5 s', 5_001],
    ['an hour', 3_600_000],
    ['a year', 365 * DAY_MS],
  ])('has the right times after an event that is dated more than %s ahead', async (_, aheadMs) => {
    const log = givenLog();
    for (const skewMs of [0, aheadMs, 0, 0]) await appendAt(log, NOW_MS + skewMs);
    const events = await eventsIn(log);
    expect(events.map(({ recordedAtMs }) => recordedAtMs - NOW_MS)).toStrictEqual([0, aheadMs, 0, 1]);
    const { timestamp } = JSON.parse(events[2]?.body ?? '') as CartEvent;
    expect(Date.parse(timestamp)).toBe(NOW_MS);
  });

  it('finds an event by its number for 32 days', async () => {
    const log = givenLog();
    await eventLogOf(database).append(log, changeOf(log));
    const [event] = await eventsIn(log);
    const sequence = event?.sequence ?? 0;
    const untilMs = Math.ceil(NOW_MS / 1_000) * 1_000 + 32 * DAY_MS;
    expect(await repository.find(log, sequence, untilMs - 1)).toStrictEqual(event);
    expect(await repository.find(log, sequence, untilMs)).toBeUndefined();
    expect(await repository.find(log, sequence + 1, NOW_MS)).toBeUndefined();
  });

  it('keeps an event for 32 days, and its stored text has its time', async () => {
    const log = givenLog();
    const result = await eventLogOf(database).append(log, changeOf(log));
    const [event] = await eventsIn(log);
    const Key = { log: logKey(log), sequence: event?.sequence };
    const { Item } = await documents.send(new GetCommand({ TableName: tableNames.events, Key }));
    expect(Item).toMatchObject({ deleteAtSeconds: Math.ceil(NOW_MS / 1_000) + 32 * 86_400 });
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      id: event?.id,
      timestamp: new Date(NOW_MS).toISOString(),
    });
    expect((result as { event: object }).event).toStrictEqual(event);
  });

  it('gives no number twice, though TTL deletes old events in any order', async () => {
    const log = givenLog();
    const old = eventLogOf(database, () => NOW_MS - 33 * DAY_MS);
    for (let i = 0; i < 3; i += 1) await old.append(log, changeOf(log));
    const third = (await eventsIn(log)).at(-1);
    const Key = { log: logKey(log), sequence: third?.sequence };
    await documents.send(new DeleteCommand({ TableName: tableNames.events, Key }));
    await eventLogOf(database).append(log, changeOf(log));
    await eventLogOf(database).append(log, changeOf(log));
    const [, , ...added] = await eventsIn(log);
    const last = third?.sequence ?? 0;
    expect(added.map(({ sequence, oldUntil }) => [sequence, oldUntil])).toStrictEqual([
      [last + 1, last],
      [last + 2, undefined],
    ]);
  });

  it('has increasing numbers after a first event that is dated a year ahead, also after a pause', async () => {
    const log = givenLog();
    const added: number[] = [];
    for (const days of [365, 0, 0, 30.5, 70]) {
      const { event } = (await appendAt(log, NOW_MS + days * DAY_MS)) as { event: LoggedEvent };
      added.push(event.sequence);
    }
    expect(added).toStrictEqual((await eventsIn(log)).map(({ sequence }) => sequence));
  });

  it('has consecutive numbers, if its writers disagree whether the last event is old', async () => {
    const log = givenLog();
    await appendAt(log, NOW_MS - 31 * DAY_MS);
    const writers = [-1, 1].map((skewMs) => eventLogOf(database, () => NOW_MS + skewMs));
    await Promise.all(writers.map((writer) => writer.append(log, changeOf(log))));
    expect(await stepsIn(log)).toStrictEqual([1, 1]);
  });

  it.each([
    // 49 changes with their events, and the counter, of the 100 items that DynamoDB permits.
    ['120 changes', 3, (log: StoreMode) => Array.from({ length: 120 }, () => changeOf(log))],
    // DynamoDB permits 4 MB.
    [
      '12 changes of 350 KB',
      2,
      (log: StoreMode) => Array.from({ length: 12 }, () => largeChangeOf(log, 350_000)),
    ],
    [
      '12 changes of 350 KB in a map, as `meta` is',
      2,
      (log: StoreMode) => Array.from({ length: 12 }, () => largeMapOf(log, 350_000)),
    ],
  ])('takes the changes of many callers, in few transactions: %s in %i', async (_, count, changesOf) => {
    const log = givenLog();
    const { append, transactions } = givenCountedLog();
    const changes = changesOf(log);
    const results = await Promise.all(changes.map((change) => append(log, change)));
    expect(results.every(({ outcome }) => outcome === 'appended')).toBe(true);
    expect(await eventsIn(log)).toHaveLength(changes.length);
    expect(transactions()).toBe(count);
  });

  it('rejects a change whose condition fails, and stores those beside it', async () => {
    const log = givenLog();
    const eventLog = eventLogOf(database);
    const taken = randomUUID();
    await eventLog.append(log, changeOf(log, taken));
    const ids = [randomUUID(), taken, randomUUID()];
    const results = await Promise.all(ids.map((id) => eventLog.append(log, changeOf(log, id))));
    expect(results.map(({ outcome }) => outcome)).toStrictEqual(['appended', 'rejected', 'appended']);
    expect(await eventsIn(log)).toHaveLength(3);
  });

  it('stores changes of one item one after the other', async () => {
    const log = givenLog();
    const { append, transactions } = givenCountedLog();
    const id = randomUUID();
    const results = await Promise.all([1, 2].map(() => append(log, changeOf(log, id))));
    expect(results.map(({ outcome }) => outcome)).toStrictEqual(['appended', 'rejected']);
    expect(transactions()).toBe(2);
  });

  it('fails the one change that DynamoDB cannot store, and stores those beside it', async () => {
    const log = givenLog();
    const eventLog = eventLogOf(database);
    const changes = [changeOf(log), largeChangeOf(log, 410_000), changeOf(log)];
    const results = await Promise.allSettled(changes.map((change) => eventLog.append(log, change)));
    expect(results.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await eventsIn(log)).toHaveLength(2);
  });

  it('stores nothing for a caller whose time is over', async () => {
    const log = givenLog();
    const appending = eventLogOf(database).append(log, changeOf(log), AbortSignal.abort());
    await expect(appending).rejects.toMatchObject({ name: 'AbortError' });
    expect(await eventsIn(log)).toStrictEqual([]);
  });
});

describe('writers of one log in several processes', () => {
  it('all succeed', async () => {
    const log = givenLog();
    const append = async () => {
      for (let i = 0; i < 3; i += 1) await eventLogOf(database).append(log, changeOf(log));
    };
    await Promise.all([append(), append(), append()]);
    expect(await stepsIn(log)).toStrictEqual(Array(8).fill(1));
  });

  it('stop only when their time is over', async () => {
    const scripted = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
    const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
    const conflict = new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
    const mock = mockDocuments(scripted);
    mock.on(GetCommand).resolves({}).on(QueryCommand).resolves({}).on(TransactWriteCommand).rejects(conflict);
    const budget = new AbortController();
    const { pauses, waitsMs } = givenPauses((count) => {
      if (count === 30) budget.abort();
    });
    const log = givenLog();
    const eventLog = createEventLog(scripted, 'events', { now: () => NOW_MS, pauses });
    await expect(eventLog.append(log, changeOf(log), budget.signal)).rejects.toMatchObject({
      name: 'ContentionError',
    });
    expect(waitsMs.slice(0, 5)).toStrictEqual([10, 20, 40, 80, 80]);
    expect(waitsMs).toHaveLength(30);
  });
});

describe('the id of an event', () => {
  it('is the same for the same change, and another for any other', () => {
    const cart = waitingCart();
    const event = completedEvent(cart);
    expect(eventIdOf(event)).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(eventIdOf({ ...event, cart: { ...cart, status: 'completed' } })).toBe(eventIdOf(event));
    const others = [
      completedEvent(cart, 'another'),
      completedEvent(waitingCart()),
      { ...event, type: 'cart.abandoned' as const },
    ];
    expect(new Set([event, ...others].map(eventIdOf)).size).toBe(4);
  });
});
