import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { DueEntry } from '../../../lib/due/due-entry.ts';
import type { DueStore } from '../../../lib/due/due-store.ts';
import { type DueRun, runDue, type RunDueDependencies } from '../../../lib/due/run-due.ts';
import { NOW_MS } from '../../support/clock.ts';
import { logged } from '../../support/log-lines.ts';
import { givenDue, MINUTE_MS, probe, THIS_MINUTE_MS } from './due.ts';

const DIED = new Error('The process died');

/** Handlers that record their calls. Each entry of `fails` fails. */
const givenRuns = async (fails: ReadonlySet<string> = new Set()) => {
  const given = await givenDue();
  const handled: string[] = [];
  /** The carts of each call. */
  const calls: (readonly string[])[] = [];
  const abandoned = new Set<string>();
  const dependencies: RunDueDependencies = {
    due: given.due,
    now: given.clock.now,
    recordAbandonments: async ({ cartIds }) => {
      calls.push(cartIds);
      if (cartIds.some((id) => fails.has(id))) throw new Error('cannot be recorded');
      const before = abandoned.size;
      for (const id of cartIds) abandoned.add(id);
      return Promise.resolve({ recorded: abandoned.size - before });
    },
    handleDelivery: async ({ endpoint: { endpointId } }) => {
      if (fails.has(endpointId)) throw new Error('cannot be handled');
      handled.push(endpointId);
      return Promise.resolve();
    },
  };
  return {
    ...given,
    handled,
    calls,
    abandoned,
    dependencies,
    run: (changes: Partial<RunDueDependencies> = {}, signal?: AbortSignal): Promise<DueRun> =>
      runDue({ ...dependencies, ...changes }, signal),
    /** Stores entries that are due some minutes from now. */
    put: (minutes: number, ...entries: readonly DueEntry[]): Promise<void> =>
      given.due.put(
        entries.map((entry) => ({ id: randomUUID(), dueAtMs: NOW_MS + minutes * MINUTE_MS, entry })),
      ),
  };
};

type Runs = Awaited<ReturnType<typeof givenRuns>>;

const carts = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

const expiry = (cartIds: readonly string[], mode: 'live' | 'test' = 'live'): DueEntry => ({
  kind: 'expiry',
  mode,
  cartIds,
});

/** The due store of a process that dies after a number of calls. All reads of a minute count as one. */
const dyingAfter = (callsMax: number, due: DueStore): DueStore => {
  let calls = 0;
  const isDead = (): boolean => (calls += 1) > callsMax;
  return {
    put: (entries) => (isDead() ? Promise.reject(DIED) : due.put(entries)),
    done: (entry) => (isDead() ? Promise.reject(DIED) : due.done(entry)),
    postpone: (entry, dueAtMs) => (isDead() ? Promise.reject(DIED) : due.postpone(entry, dueAtMs)),
    readPosition: () => (isDead() ? Promise.reject(DIED) : due.readPosition()),
    movePosition: (minuteMs) => (isDead() ? Promise.reject(DIED) : due.movePosition(minuteMs)),
    async *read(minuteMs) {
      if (isDead()) throw DIED;
      yield* due.read(minuteMs);
    },
  };
};

describe('a run', () => {
  it('handles the entries that are due, each kind by its handler, deletes them, and leaves the others', async () => {
    const runs = await givenRuns();
    const [live, test] = [carts(3), carts(2)];
    await runs.put(0, expiry(live), expiry(test, 'test'), probe('we_1'));
    await runs.put(0.5, expiry(carts(1)), probe('we_later'));
    await runs.put(1, probe('we_later'));
    const { abandoned, ...run } = await runs.run();
    expect(run).toStrictEqual({ handled: 3, failed: 0, lagMs: 0, isComplete: true });
    expect(abandoned).toStrictEqual({ live: 3, test: 2 });
    expect(runs.handled).toStrictEqual(['we_1']);
    expect(runs.abandoned).toStrictEqual(new Set([...live, ...test]));
    expect(await runs.entries()).toHaveLength(3);
  });

  it('abandons no cart before it has expired, and then within a minute', async () => {
    const runs = await givenRuns();
    await runs.put(0.25, expiry(carts(1)));
    expect(await runs.run()).toMatchObject({ handled: 0 });
    runs.clock.advance(60);
    expect(await runs.run()).toMatchObject({ lagMs: 45_000, abandoned: { live: 1 } });
  });

  it('finds an entry that a slow writer stored into a minute that the last run has read', async () => {
    const runs = await givenRuns();
    await runs.put(0, probe('we_1'));
    const [key = ''] = await runs.entries();
    runs.clock.advance(120);
    await runs.run({ due: { ...runs.due, async *read() {} } });
    runs.clock.advance(60);
    await runs.run();
    expect(key).toContain('Z ');
    expect(runs.handled).toStrictEqual(['we_1']);
  });

  it('begins with the oldest entry if no run has stored a position', async () => {
    const runs = await givenRuns();
    await runs.put(0, probe('we_1'));
    await runs.put(10, probe('we_2'));
    // A bucket of other work, which `Date.parse` takes for a date of 2001.
    const Item = { bucket: 'positions#live 12', id: 'store-1' };
    await runs.documents.send(new PutCommand({ TableName: runs.tableName, Item }));
    runs.clock.advance(900);
    await runs.run();
    expect(runs.handled).toStrictEqual(['we_1', 'we_2']);
  });

  it('records the carts of many entries of a minute together', async () => {
    const runs = await givenRuns();
    await runs.put(0, ...Array.from({ length: 30 }, () => expiry(carts(40))));
    expect(await runs.run()).toMatchObject({ handled: 30, abandoned: { live: 1_200 } });
    expect(runs.calls.map(({ length }) => length)).toStrictEqual([1_000, 200]);
  });

  it('reads only the last minutes once there is a position', async () => {
    const runs = await givenRuns();
    const minutes: number[] = [];
    const due: DueStore = {
      ...runs.due,
      read: (minuteMs) => {
        minutes.push((minuteMs - THIS_MINUTE_MS) / MINUTE_MS);
        return runs.due.read(minuteMs);
      },
    };
    await runs.due.movePosition(THIS_MINUTE_MS - MINUTE_MS * 5);
    await runs.run({ due });
    expect(minutes.splice(0)).toStrictEqual([-5, -4, -3, -2, -1, 0]);
    runs.clock.advance(60);
    await runs.run({ due });
    expect(minutes).toStrictEqual([-3, -2, -1, 0, 1]);
  });
});

describe('after an outage', () => {
  /** Six entries, five minutes apart, without a run in between. */
  const givenBacklog = async (): Promise<{ runs: Runs; endpoints: string[] }> => {
    const runs = await givenRuns();
    await runs.due.movePosition(THIS_MINUTE_MS);
    const endpoints = [1, 2, 3, 4, 5, 6].map((index) => `we_${index}`);
    await Promise.all(endpoints.map((endpointId, index) => runs.put(index * 5, probe(endpointId))));
    runs.clock.advance(30 * 60);
    return { runs, endpoints };
  };

  it('a run catches up in order', async () => {
    const { runs, endpoints } = await givenBacklog();
    expect(await runs.run()).toMatchObject({ handled: 6, isComplete: true, lagMs: 30 * MINUTE_MS });
    expect(runs.handled).toStrictEqual(endpoints);
  });

  it('a run stops in time, and the next one continues from there', async () => {
    const { runs, endpoints } = await givenBacklog();
    const time = new AbortController();
    const stopping = async (...[entry]: Parameters<RunDueDependencies['handleDelivery']>): Promise<void> => {
      await runs.dependencies.handleDelivery(entry);
      if (runs.handled.length === 2) time.abort();
    };
    const first = await runs.run({ handleDelivery: stopping }, time.signal);
    expect(first).toMatchObject({ isComplete: false });
    expect(first.lagMs).toBeGreaterThanOrEqual(25 * MINUTE_MS);
    expect(runs.handled).toStrictEqual(endpoints.slice(0, 2));
    expect(await runs.due.readPosition()).toBe(THIS_MINUTE_MS + 5 * MINUTE_MS);
    expect(await runs.run()).toMatchObject({ isComplete: true });
    expect(runs.handled.slice(-4)).toStrictEqual(endpoints.slice(2));
    expect(await runs.entries()).toStrictEqual([]);
  });
});

describe('an entry that fails', () => {
  it('blocks no other, and is handled again by the next runs, at growing intervals', async () => {
    const fails = new Set(['we_bad']);
    const runs = await givenRuns(fails);
    await runs.put(0, probe('we_bad'), probe('we_1'));
    await runs.put(1, probe('we_2'));
    const failedAt: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      const lines = await logged(async () => {
        if ((await runs.run()).failed > 0) failedAt.push(minute);
      });
      expect(lines.every(({ message, kind }) => message === 'due entry' && kind === 'probe')).toBe(true);
      runs.clock.advance(60);
    }
    expect(failedAt).toStrictEqual([0, 1, 2, 4, 8]);
    expect(runs.handled).toStrictEqual(['we_1', 'we_2']);
    fails.clear();
    runs.clock.advance(600);
    await runs.run();
    expect(runs.handled).toStrictEqual(['we_1', 'we_2', 'we_bad']);
    expect(await runs.entries()).toStrictEqual([]);
  });

  it('is the only one of its minute that is postponed, even though carts are recorded together', async () => {
    const [bad = '', ...good] = carts(5);
    const runs = await givenRuns(new Set([bad]));
    await runs.put(0, expiry(good.slice(0, 2)), expiry([bad]), expiry(good.slice(2)));
    expect(await runs.run()).toMatchObject({
      handled: 2,
      failed: 1,
      abandoned: { live: 4 },
      isComplete: true,
    });
    expect(runs.abandoned).toStrictEqual(new Set(good));
    expect(await runs.entries()).toHaveLength(1);
  });

  it('stays where it is if it cannot be moved, and holds the position', async () => {
    const runs = await givenRuns(new Set(['we_bad']));
    await runs.due.movePosition(THIS_MINUTE_MS);
    await runs.put(0, probe('we_bad'));
    await runs.put(4, probe('we_1'));
    runs.clock.advance(360);
    const down = () => Promise.reject(new Error('down'));
    expect(await runs.run({ due: { ...runs.due, postpone: down } })).toMatchObject({ isComplete: false });
    expect(await runs.due.readPosition()).toBe(THIS_MINUTE_MS);
    expect(runs.handled).toStrictEqual(['we_1']);
    expect(await runs.run()).toMatchObject({ failed: 1, isComplete: true });
  });
});

describe('if processes die or overlap', () => {
  const givenWork = async (): Promise<{ runs: Runs; ids: string[] }> => {
    const runs = await givenRuns();
    await runs.due.movePosition(THIS_MINUTE_MS - MINUTE_MS);
    const ids = carts(3);
    await runs.put(0, expiry(ids.slice(0, 2)), expiry(ids.slice(2), 'test'), probe('we_1'));
    await runs.put(1, probe('we_2'));
    runs.clock.advance(60);
    return { runs, ids };
  };

  it('a run that dies after any of its calls leaves the rest to the next run', async () => {
    let isDead = true;
    for (let calls = 0; isDead; calls += 1) {
      const { runs, ids } = await givenWork();
      const died = await runs.run({ due: dyingAfter(calls, runs.due) }).catch(() => undefined);
      isDead = died?.isComplete !== true;
      await runs.run();
      expect(runs.abandoned).toStrictEqual(new Set(ids));
      expect(new Set(runs.handled)).toStrictEqual(new Set(['we_1', 'we_2']));
      expect(await runs.entries()).toStrictEqual([]);
      expect(calls).toBeLessThan(20);
    }
  });

  it('two runs at once leave nothing, and record each cart once', async () => {
    const { runs, ids } = await givenWork();
    const both = await Promise.all([runs.run(), runs.run()]);
    expect(both.map(({ isComplete }) => isComplete)).toStrictEqual([true, true]);
    expect(both.reduce((sum, { abandoned }) => sum + abandoned.live + abandoned.test, 0)).toBe(ids.length);
    expect(await runs.entries()).toStrictEqual([]);
  });
});
