import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventsSince } from '../../../../infra/operate/shared/log-events.ts';
import { toEventItem } from '../../../../lib/events/event-item.ts';
import { createEventRepository, type EventRepository } from '../../../../lib/events/event-repository.ts';
import type { StoreMode } from '../../../../lib/stores/mode.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { countRequests } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { putItems } from '../../../support/database/put-items.ts';
import { event } from '../../../support/domain/logged-events.ts';

const DAY_MS = 86_400_000;
const { documents, tableNames } = await givenDatabase();
const repository = createEventRepository(documents, tableNames.events);

/** Stores events by their numbers and their ages in days. */
const givenLog = async (...places: readonly (readonly [sequence: number, daysOld: number])[]) => {
  const log: StoreMode = { storeId: randomUUID(), mode: 'live' };
  const events = places.map(([sequence, daysOld]) =>
    event(sequence, { ...log, recordedAtMs: NOW_MS - daysOld * DAY_MS }),
  );
  await putItems(documents, tableNames.events, events.map(toEventItem));
  return { log, events };
};

const numbersSince = async (log: StoreMode, timeMs: number): Promise<readonly number[]> => {
  const numbers: number[] = [];
  for await (const { sequence } of eventsSince(repository, log, timeMs)) numbers.push(sequence);
  return numbers;
};

test.each<[string, ...(readonly [number, number])[]]>([
  ['none'],
  ['one event', [1_000, 3]],
  ['events in a row', [1_000, 9], [1_001, 8], [1_002, 7], [1_003, 2], [1_004, 1]],
  ['gaps of deleted events', [1_000, 40], [1_007, 39], [1_008, 33], [1_090, 5]],
  ['several runs', [1_000, 90], [1_001, 80], [NOW_MS - 40 * DAY_MS, 40], [NOW_MS, 5], [NOW_MS + 1, 4]],
  ['a last event that is dated ahead', [1_000, 9], [1_001, 8], [1_002, -365]],
])('the events since any time are the same as in a linear search, in a log with %s', async (_, ...places) => {
  const { log, events } = await givenLog(...places);
  const times = events.flatMap(({ recordedAtMs }) => [recordedAtMs, recordedAtMs + 1]);
  for (const timeMs of [0, NOW_MS, ...times]) {
    const expected = events.filter(({ recordedAtMs }) => recordedAtMs >= timeMs);
    expect(await numbersSince(log, timeMs)).toStrictEqual(expected.map(({ sequence }) => sequence));
  }
});

test('a log of which all events are wanted takes three reads, although its numbers are times in milliseconds', async () => {
  const { log } = await givenLog([NOW_MS, 2], [NOW_MS + 1, 1]);
  const reads = countRequests(documents);
  expect(await numbersSince(log, 0)).toStrictEqual([NOW_MS, NOW_MS + 1]);
  // The last event, the oldest, and the page.
  expect(reads()).toBe(3);
});

test('the events since a time end with the last one at the start, although others follow', async () => {
  const stored = [event(1)];
  /** A log that grows with each read. */
  const growing: EventRepository = {
    ...repository,
    last: async () => stored.at(-1)!,
    after: async (_, sequence) => {
      stored.push(event(stored.length + 1));
      const found = stored.find((each) => each.sequence > sequence)!;
      return { begin: sequence, entries: [{ ...found, event: found }], hasMore: true };
    },
  };
  const read: number[] = [];
  for await (const { sequence } of eventsSince(growing, stored[0]!, 0)) {
    read.push(sequence);
    if (read.length > 1) break;
  }
  expect(read).toStrictEqual([1]);
});
