import { describe, expect, it } from 'vitest';
import { reportRun } from '../../../lib/timers/report-run.ts';
import type { JobResult } from '../../../lib/timers/run-job.ts';
import { logged } from '../../support/logs/log-lines.ts';

const IDLE: JobResult = { handled: 0, failed: 0, lagMs: 0, isComplete: true };
const EXPIRIES = { name: 'live expiries', lagMetric: 'TimerLagSeconds' } as const;
const ERASURES = { name: 'live erasures', lagMetric: 'ErasureLagHours' } as const;
const HOUR_MS = 3_600_000;

const report = (job: typeof EXPIRIES | typeof ERASURES, run: Partial<JobResult>) =>
  logged(async () => {
    reportRun(job, { ...IDLE, ...run });
    return Promise.resolve();
  });

describe('the report of a run', () => {
  it('is empty if nothing was due, because an unused stage pays for no log and no metric', async () => {
    expect(await report(EXPIRIES, {})).toStrictEqual([]);
  });

  it('has a line and no metric if the job was in time', async () => {
    expect(await report(EXPIRIES, { handled: 3, lagMs: 60_000 })).toMatchObject([
      { message: 'timers', job: 'live expiries', handled: 3, failed: 0, lagSeconds: 60, isComplete: true },
    ]);
  });

  it.each([
    [EXPIRIES, 120_000, []],
    [EXPIRIES, 120_001, [{ TimerLagSeconds: 121 }]],
    [ERASURES, 24 * HOUR_MS, []],
    [ERASURES, 24 * HOUR_MS + 1, [{ ErasureLagHours: 25 }]],
  ] as const)(
    'counts a lag that is too long, in units that have begun: %j %d ms',
    async (job, lagMs, metrics) => {
      expect(await report(job, { handled: 1, lagMs })).toMatchObject([...metrics, { message: 'timers' }]);
    },
  );

  it('counts the items that failed', async () => {
    expect(await report(EXPIRIES, { failed: 2 })).toMatchObject([
      { TimersFailed: 2 },
      { message: 'timers', failed: 2 },
    ]);
  });

  it('has a line for a run that ended early, even if it handled nothing', async () => {
    expect(await report(EXPIRIES, { isComplete: false })).toMatchObject([{ handled: 0, isComplete: false }]);
  });
});
