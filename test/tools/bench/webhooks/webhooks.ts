import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { submitAction } from '../../../support/service/sandbox-page.ts';
import { atMost, type Effort, goal, quantile, type Report } from '../../report.ts';
import { startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { startLocalStage } from '../support/stage.ts';
import { type IsolationLoad, measureIsolation } from './isolation.ts';
import { createCart, createShops, type Shop, startVerifyingReceiver } from './shops.ts';

const ROUND_TRIP_P50_MAX_MS = 100;
const HEALTHY_P99_MAX_MS = 2_000;

/** New endpoints share executions with those that hang. */
const FIRST_MAX_MS = 15_000;
const IN_FLIGHT_MAX = 1;

const FULL_LOAD: IsolationLoad = {
  waiting: 10_000,
  healthyEndpoints: 200,
  newEndpoints: 50,
  changes: 900,
  changesPerSecond: 15,
};
const QUICK_LOAD: IsolationLoad = {
  waiting: 200,
  healthyEndpoints: 10,
  newEndpoints: 2,
  changes: 20,
  changesPerSecond: 10,
};

/** Pays carts one after the other. Returns the time from each request to the verified webhook. */
const measureRoundTrips = async (
  baseUrl: string,
  documents: DocumentClient,
  count: number,
): Promise<readonly number[]> => {
  let shops: readonly Shop[] = [];
  const receiver = await startVerifyingReceiver((shop) => String(shops[shop]?.secret));
  shops = await createShops(documents, receiver.url, 1);
  const delaysMs: number[] = [];
  for (let index = -10; index < count; index += 1) {
    const cartId = await createCart(documents, shops[0]!);
    const paidAtMs = performance.now();
    await submitAction(baseUrl, cartId, 'pay');
    await receiver.verified(cartId);
    // The first ones warm up.
    if (index >= 0) delaysMs.push(receiver.verifiedAtMs.get(cartId)! - paidAtMs);
  }
  await receiver.close();
  return delaysMs;
};

const row = (name: string, delaysMs: readonly number[]): readonly string[] => [
  name,
  String(delaysMs.length),
  ...[0.5, 0.99, 1].map((share) => quantile(delaysMs, share).toFixed(0)),
];

/** Measures the local stage's webhooks: the round trip, and healthy endpoints beside one that hangs. */
export const benchWebhooks = async ({ isQuick }: Effort): Promise<Report> => {
  const database = await startBenchDatabase();
  const stage = await startLocalStage(database, join(makeTemporaryFolder(), 'stage.log'));
  const { documents } = database;
  const alone = await measureRoundTrips(stage.baseUrl, documents, isQuick ? 20 : 200);
  const load = isQuick ? QUICK_LOAD : FULL_LOAD;
  const beside = await measureIsolation(stage, documents, load);
  await stage.stop();
  await database.close();
  const { undelivered, inFlightMax, attemptsAtHanging, stageCpuShare } = beside;
  return {
    title: 'Webhooks: from `pay` on the sandbox page to the verified webhook, on the local stage',
    method:
      `First one payment at a time. Then ${load.changesPerSecond} a second for ${load.healthyEndpoints} healthy endpoints and ` +
      `${load.newEndpoints} new ones, while ` +
      `${load.waiting} deliveries wait\nfor an endpoint that hangs. It got ${attemptsAtHanging} attempts. The stage used ` +
      `${(100 * stageCpuShare).toFixed(0)} % of a processor.\nStage, database and receivers share the processors. ` +
      `Load average at the end: ${loadavg()[0]!.toFixed(1)}.`,
    columns: ['load', 'deliveries', 'p50 ms', 'p99 ms', 'max ms'],
    rows: [
      row('one at a time', alone),
      row('beside one that hangs', beside.delaysMs),
      row('beside one that hangs: the first of a new endpoint', beside.firstDelaysMs),
      row('of which the request', beside.requestsMs),
    ],
    verdicts: [
      goal(
        atMost(
          `p50 of one at a time, at most ${ROUND_TRIP_P50_MAX_MS} ms`,
          quantile(alone, 0.5),
          ROUND_TRIP_P50_MAX_MS,
        ),
      ),
      goal(
        atMost(
          `p99 beside an endpoint that hangs, at most ${HEALTHY_P99_MAX_MS} ms`,
          quantile(beside.delaysMs, 0.99),
          HEALTHY_P99_MAX_MS,
        ),
      ),
      goal(
        atMost(
          `the slowest first webhook of a new endpoint beside it, at most ${FIRST_MAX_MS} ms`,
          quantile(beside.firstDelaysMs, 1),
          FIRST_MAX_MS,
        ),
      ),
      atMost(
        `requests in flight at it, at most ${IN_FLIGHT_MAX}`,
        inFlightMax,
        IN_FLIGHT_MAX,
        String(inFlightMax),
      ),
      goal(atMost('healthy deliveries later than 30 s after the load', undelivered, 0, String(undelivered))),
    ],
  };
};
