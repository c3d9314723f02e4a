import { join } from 'node:path';
import { functionEnvironment } from '../support/environment.ts';
import { atMost, type Effort, quantile, type Report } from '../../report.ts';
import { startWorker } from '../support/worker.ts';
import { CALL_MS, type Load, type Simulated, SLOW_MS } from './load.ts';

const FULL: Load = {
  slowDeliveries: 1_000_000,
  slowPerSecond: 2_000,
  slowEndpoints: 100,
  healthyEndpoints: 100,
  healthyPerSecond: 20,
};
const QUICK: Load = { ...FULL, slowDeliveries: 10_000, healthyPerSecond: 100 };

/** The most messages of an invocation. A message without a slot is parked, so none stays in flight after its invocation. */
const BATCH_SIZE = 10;

/** Simulates deliveries that wait for slow endpoints beside healthy ones. */
export const benchBacklog = async ({ isQuick }: Effort): Promise<Report> => {
  const load = isQuick ? QUICK : FULL;
  const worker = await startWorker(join(import.meta.dirname, 'worker.ts'), [], functionEnvironment(''));
  const simulated = await worker.ask<Simulated>(load);
  await worker.stop();
  const { concurrency, inFlightMax, invocationsMax, healthyDelaysMs, healthyCount, ...slow } = simulated;
  const { slowDeliveries, slowEndpoints, slowPerSecond, healthyPerSecond } = load;
  const bound = BATCH_SIZE * concurrency;
  const seconds = (share: number): string => (quantile(healthyDelaysMs, share) / 1_000).toFixed(3);
  return {
    title: 'Backlog: deliveries that wait for slow endpoints, in simulated time',
    method:
      `${slowDeliveries} deliveries, ${slowPerSecond} a second, for ${slowEndpoints} endpoints that respond with 200 after ${SLOW_MS} ms.\n` +
      `Beside them, ${healthyPerSecond} a second for healthy endpoints. The rules are the service's, on a standard queue with ` +
      `${concurrency} invocations\nand messages in random order. A call to DynamoDB takes ${CALL_MS} ms.`,
    columns: [
      'deliveries',
      'attempted',
      'parked',
      'in flight at most',
      'invocations at most',
      'p50 s',
      'p99 s',
      'max s',
    ],
    rows: [
      [
        'slow',
        String(slow.attemptsAtSlow),
        String(slow.parked),
        String(inFlightMax),
        String(invocationsMax),
        '',
        '',
        '',
      ],
      [
        `slow, until ${slow.recoverySeconds} s after they respond in 200 ms`,
        String(slow.attempts),
        '',
        String(slow.recoveryInFlightMax),
        '',
        '',
        '',
        '',
      ],
      ['healthy', String(healthyDelaysMs.length), '', '', '', seconds(0.5), seconds(0.99), seconds(1)],
    ],
    verdicts: [
      atMost(
        `messages in flight, at most ${bound}: ten for each invocation`,
        slow.recoveryInFlightMax,
        bound,
        String(slow.recoveryInFlightMax),
      ),
      atMost('deliveries never sent', slow.notSent, 0, String(slow.notSent)),
      atMost('p99 of healthy deliveries, at most 2 s', quantile(healthyDelaysMs, 0.99) / 1_000, 2),
      atMost(
        'healthy deliveries not attempted',
        healthyCount - healthyDelaysMs.length,
        0,
        String(healthyCount - healthyDelaysMs.length),
      ),
    ],
  };
};
