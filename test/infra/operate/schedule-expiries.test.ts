import { PassThrough } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { scheduleAll } from '../../../infra/operate/carts/schedule-expiries.ts';
import { storesOf } from '../../../infra/operate/stores.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { createDueStore } from '../../../lib/due/due-store.ts';
import { givenOperatedService, type OperatedService } from '../../support/operate.ts';
import { waitingCart } from '../../support/payments.ts';

const HOUR_MS = 3_600_000;

let stage: OperatedService;

beforeAll(async () => {
  stage = await givenOperatedService();
  return stage.close;
});

/** The ids of the carts whose expiry is scheduled for a minute, by entry. */
const entriesAt = async (timeMs: number): Promise<(readonly string[])[]> => {
  const due = createDueStore(stage.documents, stage.tableNames.due, stage.clock.now);
  const found: (readonly string[])[] = [];
  for await (const entries of due.read(Math.floor(timeMs / 60_000) * 60_000)) {
    for (const { entry } of entries) if (entry?.kind === 'expiry') found.push(entry.cartIds);
  }
  return found;
};

const scheduledAt = async (timeMs: number): Promise<string[]> => (await entriesAt(timeMs)).flat();

/** Creates a cart in the table of a mode. Returns its id. */
const create = async (mode: Mode, expiresAtMs: number, changes: object = {}): Promise<string> =>
  (await stage.carts[mode].create({ ...waitingCart({ mode, expiresAtMs }), ...changes })).cart.id;

/** Schedules after a statement of the cost, and returns the result. */
const schedule = async (...flags: readonly string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await stage.run(['carts', 'schedule-expiries', '--yes', ...flags]);
  expect(stderr).toMatch(/^Reads about [\d,]+ items?: [\d,]+ read units?, [^\n]+\n$/);
  expect(exitCode).toBe(0);
  return stdout;
};

test('schedules the unpaid carts of both modes that expire later, and with --since those that have expired', async () => {
  const nowMs = stage.clock.now();
  const laterMs = nowMs + HOUR_MS;
  const later = [await create('live', laterMs), await create('test', laterMs)];
  await create('live', laterMs, { status: 'completed' });
  await create('test', laterMs, { abandonmentRecordedAtMs: nowMs });
  const expired = await create('live', nowMs - HOUR_MS);
  await create('live', nowMs - 3 * HOUR_MS);

  expect(await schedule('--json')).toBe('{"live":1,"test":1}\n');
  expect((await scheduledAt(laterMs)).toSorted()).toStrictEqual(later.toSorted());
  expect(await scheduledAt(nowMs)).toStrictEqual([]);

  const since = new Date(nowMs - 2 * HOUR_MS).toISOString();
  expect(await schedule('--since', since)).toMatch(
    /^Scheduled the expiries of 2 live carts and 1 test cart\./,
  );
  expect([...(await scheduledAt(nowMs)), ...(await scheduledAt(laterMs))]).toContain(expired);
});

test('a large table is scheduled in parts, and each cart once', async () => {
  const expiresAtMs = stage.clock.now() + 6 * HOUR_MS;
  const first = [await create('live', expiresAtMs), await create('live', expiresAtMs)];
  const second = [await create('test', expiresAtMs), await create('test', expiresAtMs)];
  const operated = { name: 'one', documents: stage.documents, tableNames: stage.tableNames };
  const context = {
    stderr: new PassThrough(),
    stage: operated,
    stores: storesOf(operated, stage.clock.now),
    say: () => undefined,
    pauses: { sleep: () => Promise.resolve(), random: () => 0 },
  };
  expect(await scheduleAll(context, expiresAtMs - HOUR_MS, 2)).toStrictEqual({ live: 2, test: 2 });
  const sorted = (entries: readonly (readonly string[])[]) =>
    entries.map((ids) => ids.toSorted().join(' ')).toSorted();
  expect(sorted(await entriesAt(expiresAtMs))).toStrictEqual(sorted([first, second]));
});
