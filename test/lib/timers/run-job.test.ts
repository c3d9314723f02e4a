import { describe, expect, it } from 'vitest';
import { runJob, type JobResult } from '../../../lib/timers/run-job.ts';
import type { TimerJob } from '../../../lib/timers/timer-job.ts';
import type { DueItem, TimerRepository } from '../../../lib/timers/timer-repository.ts';
import { shardsOf } from '../../../lib/timers/timer.ts';
import { NOW_MS } from '../../support/clock.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { NEVER } from '../../support/signals.ts';
import { givenTimers, type TestTimers } from './timers.ts';

const [SHARD_0, SHARD_1] = shardsOf('expiry') as [string, string];
const OUTAGE = Object.assign(new Error('throttled'), { name: 'ThrottlingException' });

const idOf = ({ key }: DueItem): string => String(key['id']);

/** A job that ends the timers of its items, and records each call. The items in `failures` fail. */
const jobOn = (repository: TimerRepository, failures: ReadonlyMap<string, Error> = new Map()) => {
  const calls: string[][] = [];
  const job: TimerJob = {
    name: 'job',
    lagMetric: 'TimerLagSeconds',
    repository,
    shards: shardsOf('expiry'),
    async handle(items) {
      calls.push(items.map(idOf));
      const failure = items.map((item) => failures.get(idOf(item))).find((error) => error !== undefined);
      if (failure) throw failure;
      for (const item of items) await repository.clear(item);
      return { count: items.length, firstTimerAtMs: items[0]?.timerAtMs };
    },
  };
  return { job, calls };
};

const at = (timer: string, secondsAgo = 0) => ({ timer, timerAtMs: NOW_MS - 1_000 * secondsAgo });

const COMPLETE: JobResult = { handled: 0, failed: 0, lagMs: 0, isComplete: true };

describe('a run', () => {
  it('handles what is due in all shards, and reports the greatest delay', async () => {
    const { wait, repository, stored, clock } = await givenTimers();
    const [early, late, future = ''] = await wait(at(SHARD_0, 90), at(SHARD_1, 5), at(SHARD_1, -1));
    const { job, calls } = jobOn(repository);

    expect(await runJob(job, clock.now, NEVER)).toStrictEqual({ ...COMPLETE, handled: 2, lagMs: 90_000 });
    expect(new Set(calls)).toStrictEqual(new Set([[early], [late]]));
    expect((await stored())[future]).toStrictEqual(at(SHARD_1, -1));
  });

  it('does nothing when nothing is due', async () => {
    const { repository, clock } = await givenTimers();
    const { job, calls } = jobOn(repository);
    expect(await runJob(job, clock.now, NEVER)).toStrictEqual(COMPLETE);
    expect(calls).toStrictEqual([]);
  });

  it('reads all pages of a shard', async () => {
    const { wait, repository, stored, clock } = await givenTimers();
    await wait(...Array.from({ length: 205 }, (_, index) => at(SHARD_0, index)));
    const { job, calls } = jobOn(repository);

    expect(await runJob(job, clock.now, NEVER)).toMatchObject({ handled: 205, isComplete: true });
    expect(calls.map(({ length }) => length)).toStrictEqual([100, 100, 5]);
    expect(Object.values(await stored()).filter(Boolean)).toStrictEqual([]);
  });

  it('handles the same items harmlessly at the same time as another run', async () => {
    const { wait, repository, stored, clock } = await givenTimers();
    const [id = ''] = await wait(at(SHARD_0, 1));
    const { job } = jobOn(repository);
    await Promise.all([runJob(job, clock.now, NEVER), runJob(job, clock.now, NEVER)]);
    expect(await stored()).toStrictEqual({ [id]: undefined });
  });
});

describe('an item that fails', () => {
  const givenFailure = async (): Promise<TestTimers & { bad: string; others: string[] }> => {
    const timers = await givenTimers();
    const [bad = '', ...others] = await timers.wait(...[9, 8, 7, 6, 5].map((s) => at(SHARD_0, s)));
    await timers.wait(at(SHARD_1, 1));
    return { ...timers, bad, others };
  };

  it('gets a later time, and blocks no other', async () => {
    const { bad, others, repository, stored, clock } = await givenFailure();
    const { job } = jobOn(repository, new Map([[bad, new Error('malformed')]]));

    const lines = await logged(async () => {
      expect(await runJob(job, clock.now, NEVER)).toMatchObject({
        handled: 5,
        failed: 1,
        isComplete: true,
      });
    });

    const after = await stored();
    expect(after[bad]).toStrictEqual({ timer: SHARD_0, timerAtMs: NOW_MS + 15 * 60_000 });
    expect(others.map((id) => after[id])).toStrictEqual(others.map(() => undefined));
    expect(lines).toStrictEqual([
      expect.objectContaining({ level: 'ERROR', job: 'job', outcome: 'failed', item: { id: bad } }),
    ]);
  });

  it('stays due with those beside it when the database fails, and the other shards are handled', async () => {
    const { bad, others, repository, stored, clock } = await givenFailure();
    const { job } = jobOn(repository, new Map([[bad, OUTAGE]]));

    const lines = await logged(async () => {
      expect(await runJob(job, clock.now, NEVER)).toStrictEqual({
        handled: 1,
        failed: 0,
        lagMs: 9_000,
        isComplete: false,
      });
    });
    expect(lines).toMatchObject([
      { level: 'WARN', message: 'timers', job: 'job', outcome: 'still due', cause: { name: OUTAGE.name } },
    ]);
    const after = await stored();
    expect([bad, ...others].map((id) => after[id]?.timerAtMs)).toStrictEqual(
      [9, 8, 7, 6, 5].map((seconds) => NOW_MS - 1_000 * seconds),
    );
  });

  it('stays due if it cannot be moved', async () => {
    const { bad, repository, stored, clock } = await givenFailure();
    const failing: TimerRepository = { ...repository, postpone: () => Promise.reject(OUTAGE) };
    const { job } = jobOn(failing, new Map([[bad, new Error('malformed')]]));

    const lines = await logged(async () => {
      expect(await runJob(job, clock.now, NEVER)).toMatchObject({ failed: 1 });
    });
    expect(lines).toMatchObject([
      { outcome: 'failed' },
      {
        level: 'WARN',
        message: 'timers',
        job: 'job',
        outcome: 'not postponed',
        cause: { name: OUTAGE.name },
      },
    ]);
    expect((await stored())[bad]?.timerAtMs).toBe(NOW_MS - 9_000);
  });
});

describe('a run whose time ends', () => {
  it('leaves the rest due, and postpones nothing', async () => {
    const { wait, repository, stored, clock } = await givenTimers();
    await wait(...shardsOf('expiry').map((timer) => at(timer, 60)));
    const controller = new AbortController();
    const { job, calls } = jobOn(repository);
    const ended: TimerJob = {
      ...job,
      handle: async (items, signal) => {
        const handled = await job.handle(items, signal);
        controller.abort();
        return handled;
      },
    };

    const run = await runJob(ended, clock.now, controller.signal);

    expect(run).toMatchObject({ failed: 0, lagMs: 60_000, isComplete: false });
    expect(calls.length).toBeLessThan(8);
    const left = Object.values(await stored()).filter((timer) => timer !== undefined);
    expect(left).toHaveLength(8 - calls.length);
    expect(left.every(({ timerAtMs }) => timerAtMs === NOW_MS - 60_000)).toBe(true);
  });

  it('gives each call a signal that ends with the run', async () => {
    const { wait, repository, clock } = await givenTimers();
    await wait(at(SHARD_0));
    const controller = new AbortController();
    const { job } = jobOn(repository);
    const waiting: TimerJob = {
      ...job,
      handle: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          controller.abort();
        }),
    };

    expect(await runJob(waiting, clock.now, controller.signal)).toMatchObject({
      failed: 0,
      isComplete: false,
    });
  });
});

it('reports why a shard cannot be read, and handles the others', async () => {
  const { wait, clock, repository, stored } = await givenTimers();
  const [unread = '', readable = ''] = await wait(at(SHARD_0, 60), at(SHARD_1, 1));
  const { job } = jobOn({
    ...repository,
    async *due(timer, ...rest) {
      if (timer === SHARD_0) await Promise.reject(OUTAGE);
      yield* repository.due(timer, ...rest);
    },
  });
  expect(await runJob(job, clock.now, NEVER)).toStrictEqual({
    ...COMPLETE,
    handled: 1,
    lagMs: 1_000,
    isComplete: false,
    unread: OUTAGE,
  });
  expect(await stored()).toStrictEqual({ [unread]: at(SHARD_0, 60), [readable]: undefined });
});
