import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createStrangers, type Thread } from '../../../../infra/local/gateway/strangers.ts';

const AUTHENTICATED = { status: 404, headers: [['X-RateLimit-Limit', '60']], body: '' } as const;
const UNAVAILABLE = { status: 503, headers: [['Retry-After', '1']], body: '' } as const;
const REJECTED = { status: 401, headers: [['WWW-Authenticate', 'Bearer']], body: '' } as const;

const OPEN = { destroyed: false };

/** A thread whose time passes only when it sleeps or works. */
const scriptedThread = () => {
  const time = { active: 0, idle: 0 };
  const sleeps: number[] = [];
  const thread: Thread = {
    utilization: () => ({ ...time }),
    sleep: (milliseconds) => {
      sleeps.push(milliseconds);
      time.idle += milliseconds;
      return setImmediate();
    },
  };
  const work = (milliseconds: number): void => {
    time.active += milliseconds;
  };
  return { thread, sleeps, work };
};

describe("a stranger's request", () => {
  it.each([
    ['at once if the thread is idle', 0, []],
    ['when the thread was idle for as long as it was busy', 8, [8]],
    ['50 ms after the one before it at the latest', 30, [20]],
    ['at once after longer work', 400, []],
  ])('starts %s', async (_, busyMs, sleeps) => {
    const { thread, sleeps: slept, work } = scriptedThread();
    const strangers = createStrangers(thread);
    for (const authorization of [undefined, 'Bearer new']) {
      work(busyMs);
      await strangers.turn(authorization, OPEN);
    }
    expect(slept).toStrictEqual([...sleeps, ...sleeps]);
  });

  it('waits for those before it, and not for known callers', async () => {
    const { thread, work } = scriptedThread();
    const strangers = createStrangers(thread);
    strangers.learn('Bearer known', AUTHENTICATED);
    work(8);
    const started: string[] = [];
    await Promise.all(
      ['Bearer new', undefined, 'Bearer known'].map(async (authorization) => {
        await strangers.turn(authorization, OPEN);
        started.push(String(authorization));
      }),
    );
    expect(started).toStrictEqual(['Bearer known', 'Bearer new', 'undefined']);
  });

  it('does not wait further once a response shows that its key is valid', async () => {
    const { thread, sleeps, work } = scriptedThread();
    const strangers = createStrangers(thread);
    const turns = Array.from({ length: 64 }, () => strangers.turn('Bearer new', OPEN));
    await turns[0];
    work(8);
    strangers.learn('Bearer new', AUTHENTICATED);
    expect(new Set(await Promise.all(turns))).toStrictEqual(new Set([true]));
    expect(sleeps).toStrictEqual([]);
  });

  it('is rejected while 1,000 others wait, and those whose connection ends take no time', async () => {
    const { thread, sleeps, work } = scriptedThread();
    const strangers = createStrangers(thread);
    const connection = { destroyed: false };
    work(8);
    const others = Array.from({ length: 1_000 }, () => strangers.turn(undefined, connection));
    expect(await strangers.turn('Bearer new', OPEN)).toBe(false);

    connection.destroyed = true;
    expect(new Set(await Promise.all(others))).toStrictEqual(new Set([false]));
    // The first had its turn before.
    expect(sleeps).toStrictEqual([8]);
    expect(await strangers.turn('Bearer new', OPEN)).toBe(true);
  });
});

it('a caller is known from an authenticated response to the next 401, unless 1,000 others are seen later', async () => {
  const { thread, sleeps, work } = scriptedThread();
  const strangers = createStrangers(thread);
  const isKnown = async (authorization: string): Promise<boolean> => {
    const sleepsBefore = sleeps.length;
    work(8);
    await strangers.turn(authorization, OPEN);
    return sleeps.length === sleepsBefore;
  };
  expect(await isKnown('Bearer a')).toBe(false);
  strangers.learn('Bearer a', REJECTED);
  expect(await isKnown('Bearer a')).toBe(false);
  strangers.learn('Bearer a', AUTHENTICATED);
  expect(await isKnown('Bearer a')).toBe(true);
  expect(await isKnown('bearer   a')).toBe(true);
  strangers.learn('Bearer a', UNAVAILABLE);
  expect(await isKnown('Bearer a')).toBe(true);
  strangers.learn('Bearer a', REJECTED);
  expect(await isKnown('Bearer a')).toBe(false);
  const others = Array.from({ length: 999 }, (_, index) => `Bearer other-${index}`);
  for (const authorization of ['Bearer a', 'Bearer b', 'Bearer a', ...others])
    strangers.learn(authorization, AUTHENTICATED);
  expect(await isKnown('Bearer a')).toBe(true);
  expect(await isKnown('Bearer b')).toBe(false);
});
