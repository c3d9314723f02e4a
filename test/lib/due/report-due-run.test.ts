import { expect, it } from 'vitest';
import { reportDueRun } from '../../../lib/due/report-due-run.ts';
import type { DueRun } from '../../../lib/due/run-due.ts';
import { logged } from '../../support/log-lines.ts';

const IDLE: DueRun = { handled: 0, failed: 0, abandoned: { live: 0, test: 0 }, lagMs: 0, isComplete: true };

/** The metrics of a run, each with its value. */
const metricsOf = async (changes: Partial<DueRun>): Promise<Record<string, unknown>> => {
  const lines = await logged(async () => reportDueRun({ ...IDLE, ...changes }));
  const names = new Set(['CartsAbandoned', 'DueEntriesFailed', 'DueLagSeconds']);
  return Object.fromEntries(
    lines.flatMap((line) => Object.entries(line).filter(([name]) => names.has(name))),
  );
};

it('an idle run writes nothing, so that an unused stage pays for no log and no metric', async () => {
  expect(await logged(async () => reportDueRun(IDLE))).toStrictEqual([]);
});

it.each<[string, Partial<DueRun>, object]>([
  ['in time', { handled: 9, lagMs: 120_000 }, {}],
  ['late', { handled: 9, lagMs: 120_001 }, { DueLagSeconds: 121 }],
  ['that ended early', { lagMs: 900_000, isComplete: false }, { DueLagSeconds: 900 }],
  ['with failures', { failed: 2 }, { DueEntriesFailed: 2 }],
  ['that abandoned carts', { handled: 3, abandoned: { live: 2, test: 1 } }, { CartsAbandoned: 2 }],
])('a run %s counts what an operator needs', async (_, changes, expected) => {
  expect(await metricsOf(changes)).toStrictEqual(expected);
});
