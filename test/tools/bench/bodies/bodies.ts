import { join } from 'node:path';
import { BASELINES } from '../../../../infra/bounds/bounds.ts';
import { WORST_REQUESTS } from '../../../support/service/worst-requests.ts';
import { atMost, type Effort, median, type Report } from '../../report.ts';
import { checkBaseline } from '../support/baseline.ts';
import { functionEnvironment } from '../support/environment.ts';
import { startWorker } from '../support/worker.ts';
import type { BodyRound } from './worker.ts';

/** The CPU time that a stranger may cost the function by one request, besides its database call. */
const CPU_MS_MAX = 5;

/** The same without a key: most of it is for the log line and the response. */
const KEYLESS_CPU_MS_MAX = 0.5;

/** The rows of the table. */
const ROWS = 12;

interface Result {
  readonly request: string;
  readonly keyMs: number;
  readonly keylessMs: number;
  /** The CPU time of a request as merchants send it, measured beside. */
  readonly ordinaryMs: number;
}

/** Measures the CPU time of the most expensive requests that strangers can send. */
export const benchBodies = async ({ isQuick }: Effort): Promise<Report> => {
  const worker = await startWorker(
    join(import.meta.dirname, 'worker.ts'),
    [],
    functionEnvironment('http://127.0.0.1:1'),
  );
  const measure = async (request: string, hasKey: boolean): Promise<number> => {
    const rounds: number[] = [];
    for (let round = -1; round < (isQuick ? 1 : 5); round += 1) {
      const count = isQuick ? 3 : 100;
      const cpuMs = await worker.ask<number>({ request, hasKey, count } satisfies BodyRound);
      if (round >= 0) rounds.push(cpuMs);
    }
    return Math.min(...rounds);
  };
  const results: Result[] = [];
  for (const request of Object.keys(WORST_REQUESTS)) {
    const [keyMs, keylessMs] = [await measure(request, true), await measure(request, false)];
    results.push({ request, keyMs, keylessMs, ordinaryMs: await measure('ordinary', true) });
  }
  await worker.stop();
  const sorted = results.toSorted((a, b) => b.keyMs - a.keyMs);
  const valuesOf = (figure: Exclude<keyof Result, 'request'>) => results.map((result) => result[figure]);
  const meanMs = valuesOf('keyMs').reduce((sum, ms) => sum + ms, 0) / results.length;
  return {
    title: `The ${ROWS} most expensive of ${results.length} requests: CPU time of the function without its database calls`,
    method:
      'The fastest of five rounds. A new, well-formed key makes the function parse and validate the body.',
    columns: ['request', 'new key, ms', 'no key, ms'],
    rows: sorted
      .slice(0, ROWS)
      .map(({ request, keyMs, keylessMs }) => [request, keyMs.toFixed(2), keylessMs.toFixed(3)]),
    verdicts: [
      atMost(`new key: at most ${CPU_MS_MAX} ms`, Math.max(...valuesOf('keyMs')), CPU_MS_MAX),
      atMost(
        `no key: at most ${KEYLESS_CPU_MS_MAX} ms`,
        Math.max(...valuesOf('keylessMs')),
        KEYLESS_CPU_MS_MAX,
      ),
      ...checkBaseline(BASELINES.bodies, 'new key', meanMs / median(valuesOf('ordinaryMs'))),
    ],
  };
};
