import { beforeEach, describe, expect, it } from 'vitest';
import { LogFollower } from '../../../../infra/local/events/log-follower.ts';
import { createLogPositions } from '../../../../infra/local/events/log-positions.ts';
import type { LogId, LoggedEvent } from '../../../../lib/events/store-event.ts';
import { manualClock, type ManualClock } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database.ts';

const LOG: LogId = { storeId: 'store', mode: 'test' };
const FIRST = 1_000;

let clock: ManualClock;
/** The log in the database, as all processes see it. */
let stored: LoggedEvent[];
let position: number | undefined;
let sent: number[];
let failures: unknown[];
let outage: Error | undefined;
let follower: LogFollower;

beforeEach(() => {
  clock = manualClock();
  stored = [];
  position = undefined;
  sent = [];
  failures = [];
  outage = undefined;
  follower = givenFollower();
});

/** The follower of a process on the same database. */
const givenFollower = (): LogFollower =>
  new LogFollower({
    fanOut: async (events) => {
      if (outage) return { handled: 0, rejected: [], outage };
      sent.push(...events.map(({ sequence }) => sequence));
      return { handled: events.length, rejected: [] };
    },
    events: {
      after: async (_log, sequence, limit) => {
        const above = stored.filter((event) => event.sequence > sequence);
        const events = above.slice(0, limit).map((event) => ({ ...event, startsRun: false }));
        return { events, hasMore: above.length > limit };
      },
    },
    positions: {
      read: async () => position,
      move: async (_log, sequence) => {
        position = Math.max(position ?? 0, sequence);
      },
    },
    now: clock.now,
    reportFailure: (error) => failures.push(error),
  });

/** Stores the next events. */
const record = (count = 1): LoggedEvent[] => {
  const events = Array.from({ length: count }, (_, index): LoggedEvent => {
    const sequence = FIRST + stored.length + index;
    const id = `evt_${sequence}`;
    return {
      ...LOG,
      sequence,
      id,
      type: 'cart.completed',
      cartId: 'cart',
      recordedAtMs: clock.now(),
      body: '',
    };
  });
  stored.push(...events);
  return events;
};

const takeAll = async (events: readonly LoggedEvent[], by = follower): Promise<void> => {
  for (const event of events) by.take(event);
  await by.close();
};

describe('an event of this process', () => {
  it('is sent at once, and once', async () => {
    await takeAll(record(3));
    expect(sent).toEqual([FIRST, FIRST + 1, FIRST + 2]);
    clock.advance(60);
    await follower.sweep(LOG);
    expect(sent).toHaveLength(3);
  });

  it('moves the stored position, from the first sweep on', async () => {
    await takeAll(record(2));
    await follower.sweep(LOG);
    expect(position).toBe(FIRST + 1);
    await takeAll(record(1));
    expect(position).toBe(FIRST + 2);
  });

  it('is sent by a sweep after an outage', async () => {
    outage = new Error('The database does not respond');
    await takeAll(record());
    expect([sent, failures]).toEqual([[], [outage]]);
    outage = undefined;
    clock.advance(1);
    await follower.sweep(LOG);
    expect([sent, position]).toEqual([[FIRST], FIRST]);
  });
});

describe('an event of another process', () => {
  it('is sent by a sweep, after the second in which its process sends it', async () => {
    record(250);
    await follower.sweep(LOG);
    expect(sent).toEqual([]);
    clock.advance(1);
    await follower.sweep(LOG);
    expect(sent).toEqual(stored.map(({ sequence }) => sequence));
    expect(position).toBe(FIRST + 249);
  });

  it('is sent by a sweep although it is dated a year ahead, and delays none behind it', async () => {
    const [ahead] = record();
    stored[0] = { ...ahead!, recordedAtMs: clock.now() + 365 * 86_400_000 };
    record();
    clock.advance(1);
    await follower.sweep(LOG);
    expect(sent).toEqual([FIRST, FIRST + 1]);
  });

  it('is sent once if its process has sent it', async () => {
    const other = givenFollower();
    await follower.sweep(LOG);
    await takeAll(record(2), other);
    await other.sweep(LOG);
    clock.advance(60);
    await follower.sweep(LOG);
    expect(sent).toHaveLength(2);
  });

  it('holds the position until it is sent, between events of this process', async () => {
    await takeAll(record());
    await follower.sweep(LOG);
    record();
    await takeAll(record());
    expect([sent, position]).toEqual([[FIRST, FIRST + 2], FIRST]);
    clock.advance(1);
    await follower.sweep(LOG);
    expect([sent, position]).toEqual([[FIRST, FIRST + 2, FIRST + 1], FIRST + 2]);
  });
});

it('a new process sends what a killed one has recorded and not sent', async () => {
  await takeAll(record(2));
  await follower.sweep(LOG);
  record(2);
  clock.advance(1);
  await givenFollower().sweep(LOG);
  expect(sent).toEqual([FIRST, FIRST + 1, FIRST + 2, FIRST + 3]);
});

it('a stored position never moves back', async () => {
  const { documents, tableNames } = await givenDatabase();
  const positions = createLogPositions(documents, tableNames.due);
  expect(await positions.read(LOG)).toBeUndefined();
  await positions.move(LOG, 7);
  await positions.move(LOG, 5);
  expect(await positions.read(LOG)).toBe(7);
  expect(await positions.read({ ...LOG, mode: 'live' })).toBeUndefined();
});
