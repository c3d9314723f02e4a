import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/environment.ts';
import { givenRequests } from '../support/operations.ts';
import { atMost, type Effort, measureInTurn, median, medianRatio, type Report } from '../support/report.ts';
import { startWorker } from '../support/worker.ts';
import type { Load, LoadResult } from '../http/load.ts';
import { startLocalStage } from '../http/stage.ts';
import type { Attack, AttackResult } from './attack.ts';

/** How much slower a client's median request may be beside an attack. */
const RATIO_MAX = 2;

const CONNECTIONS = 8;

/** How long the client sends in a round. Short rounds share the noise of the machine. */
const SECONDS = 1;

const SIDES = {
  'no attack': undefined,
  'no key': { request: 'objects as metadata', hasKeys: false },
  'new keys': { request: 'objects as metadata', hasKeys: true },
  'new keys, 50 long keys of metadata': { request: '50 long keys of metadata', hasKeys: true },
} as const;

type Side = keyof typeof SIDES;

interface Result extends LoadResult {
  readonly attacksPerSecond: number;
}

/** Measures a client's retrievals on the local stage beside strangers who send the most expensive bodies. */
export const benchFlood = async ({ isQuick }: Effort): Promise<Report> => {
  const database = await startBenchDatabase();
  const stage = await startLocalStage(database, join(makeTemporaryFolder(), 'local.log'));
  const client = await startWorker(join(import.meta.dirname, '../http/load.ts'));
  const stranger = await startWorker(join(import.meta.dirname, 'attack.ts'));
  const requestOf = await givenRequests(database);
  const load: Load = {
    url: stage.baseUrl,
    connections: 1,
    extent: { duration: SECONDS },
    requests: [['getCart', requestOf('getCart')]],
  };
  const measure = async (side: Side): Promise<Result> => {
    const attack = SIDES[side];
    const attacking = attack
      ? stranger.ask<AttackResult>({
          url: stage.baseUrl,
          connections: CONNECTIONS,
          // It has started when the client does, and ends after it.
          seconds: SECONDS + 1,
          ...attack,
        } satisfies Attack)
      : Promise.resolve({ requestsPerSecond: 0 });
    attacking.catch(() => undefined);
    await sleep(500);
    const result = await client.ask<LoadResult>(load);
    // Without any response, there is no median.
    const p50Ms = result.requestsPerSecond > 0 ? result.p50Ms : Number.POSITIVE_INFINITY;
    return { ...result, p50Ms, attacksPerSecond: (await attacking).requestsPerSecond };
  };
  const sides = Object.keys(SIDES) as Side[];
  const results = await measureInTurn(sides, isQuick ? 1 : 11, measure);
  await Promise.all([client.stop(), stranger.stop(), stage.stop()]);
  await database.close();

  const p50s = (side: Side): number[] => results.get(side)!.map(({ p50Ms }) => p50Ms);
  const ratioOf = (side: Side): number => medianRatio(p50s(side), p50s('no attack'));
  return {
    title: "A flood: a client's retrievals on the local stage, beside strangers",
    method: `Medians of alternating rounds. ${CONNECTIONS} connections of strangers send the most expensive bodies, without a key or each with a new one.\nAll processes share the processors of this machine.`,
    columns: ['strangers', 'requests/s', 'client p50 ms', 'p99 ms', 'p50 of no attack'],
    rows: sides.map((side) => {
      const of = (figure: keyof Result): number => median(results.get(side)!.map((result) => result[figure]));
      const figures = [of('attacksPerSecond').toFixed(0), of('p50Ms').toFixed(2), of('p99Ms').toFixed(2)];
      return [side, ...figures, ratioOf(side).toFixed(2)];
    }),
    verdicts: sides
      .slice(1)
      .map((side) =>
        atMost(`${side}: p50 at most ${RATIO_MAX} times the undisturbed`, ratioOf(side), RATIO_MAX),
      ),
  };
};
