import { beforeAll, expect, test } from 'vitest';
import { PERSONAL_DATA_DAYS } from '../../../infra/stages.ts';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import { createErasureDependencies, runErasures } from '../../../lib/buyers/run-erasures.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { givenOperatedService, type OperatedService } from '../../support/operate.ts';
import { waitingCart } from '../../support/payments.ts';

const DAY_MS = 86_400_000;

let stage: OperatedService;

beforeAll(async () => {
  stage = await givenOperatedService();
  return stage.close;
});

/** Runs the scheduled erasures of the stage. */
const runStage = () =>
  runErasures(
    createErasureDependencies(stage.documents, paymentTablesOf(stage.tableNames), {
      personalDataDays: PERSONAL_DATA_DAYS,
      now: stage.clock.now,
    }),
  );

/** Schedules, and returns the line of JSON. */
const schedule = async (flag: '--dry-run' | '--yes'): Promise<unknown> => {
  const { exitCode, stdout, stderr } = await stage.run(['buyers', 'schedule-erasures', flag, '--json']);
  expect(stderr).toMatch(/^Reads about [\d,]+ items?: [^\n]+\n$/);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
};

test('schedules the completed carts of both modes, counts those that are due, and a repetition is harmless', async () => {
  const nowMs = stage.clock.now();
  const create = async (mode: 'live' | 'test', changes: Partial<Cart>): Promise<Cart> => {
    const { deleteAtSeconds: _, ...cart } = { ...waitingCart({ mode, status: 'completed' }), ...changes };
    return (await stage.carts[mode].create(cart)).cart;
  };
  const old = { updatedAtMs: nowMs - (PERSONAL_DATA_DAYS + 1) * DAY_MS };
  const erased = [await create('live', old), await create('test', old)];
  const kept = [
    await create('live', { updatedAtMs: nowMs }),
    await create('test', { updatedAtMs: nowMs - PERSONAL_DATA_DAYS * DAY_MS }),
  ];
  await create('live', { ...old, status: 'payment_failed' });
  await create('live', { ...old, personalDataErasedAtMs: nowMs });

  const counts = {
    personalDataDays: PERSONAL_DATA_DAYS,
    scheduled: { live: 2, test: 2 },
    due: { live: 1, test: 1 },
  };
  expect(await schedule('--dry-run')).toStrictEqual({ dryRun: true, ...counts });
  expect((await runStage()).erased).toStrictEqual({ live: 0, test: 0 });

  expect(await schedule('--yes')).toStrictEqual(counts);
  expect(await schedule('--yes')).toStrictEqual(counts);
  expect((await runStage()).erased).toStrictEqual({ live: 1, test: 1 });
  expect((await runStage()).erased).toStrictEqual({ live: 0, test: 0 });
  for (const { id, mode } of erased)
    expect(await stage.carts[mode].find(id)).toMatchObject({ customerInfo: {} });
  for (const cart of kept) expect(await stage.carts[cart.mode].find(cart.id)).toStrictEqual(cart);
});

test('asks before it schedules, because the erasure is for good', async () => {
  const { exitCode, stderr } = await stage.run(['buyers', 'schedule-erasures']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${PERSONAL_DATA_DAYS} days ago`);
});

test('shows the progress of its scan on a terminal', async () => {
  const { stderr } = await stage.run(['buyers', 'schedule-erasures', '--dry-run'], { typed: '' });
  expect(stderr).toMatch(/Reading [^\r]*\d of \d/);
});
