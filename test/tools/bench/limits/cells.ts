import { randomUUID } from 'node:crypto';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { type BenchDatabase, issueKey } from '../support/database.ts';
import { AMPLE_LIMITS } from '../support/items.ts';
import type { Worker } from '../support/worker.ts';
import type { ContenderName, Contenders } from './contenders.ts';
import type { Sampling, Tally } from './worker.ts';

export type KeyState = 'idle' | 'half-loaded' | 'exhausted' | 'exhausted, 10/s';

export interface Cell {
  readonly state: KeyState;
  readonly callers: number;
  readonly processes: number;
}

/** The counts of one contender in one cell and round, all processes together. */
export interface Sample extends Omit<Tally, 'admitted' | 'denied'> {
  /** Tokens that the bucket may have given since it was full: `limit + elapsed * limit / window`. */
  readonly allowed: number;
  /** Tokens that it gave since then, including the preparation. */
  readonly admittedInAll: number;
}

/** Idle keys are used in turn, and each is full again after a millisecond. The other states use one key. */
const LIMITS: Readonly<Record<KeyState, BucketLimits>> = {
  idle: { limit: 1_000, windowSeconds: 1 },
  'half-loaded': AMPLE_LIMITS,
  exhausted: { limit: 60, windowSeconds: 60 },
  // Ten tokens return each second, so over-admission would show.
  'exhausted, 10/s': { limit: 100, windowSeconds: 10 },
};

export const CELLS: readonly Cell[] = (Object.keys(LIMITS) as KeyState[]).flatMap((state) =>
  [1, 32].flatMap((callers) => [1, 2].map((processes) => ({ state, callers, processes }))),
);

export const isExhausted = ({ state }: Cell): boolean => state.startsWith('exhausted');

/** The contenders of a cell. A memory of denials only matters where requests are denied. */
export const contendersOf = (cell: Cell): readonly ContenderName[] =>
  isExhausted(cell) ? ['ours', 'ours + memory', 'rlf', 'rlf + block'] : ['ours', 'rlf'];

export interface Bench {
  readonly database: BenchDatabase;
  /** Contenders of this process, which prepare the keys. They are not measured. */
  readonly contenders: Contenders;
  readonly workers: readonly Worker[];
  readonly idleKeys: readonly string[];
  readonly durationMs: number;
}

export const issueIdleKeys = async (database: BenchDatabase, count: number): Promise<string[]> => {
  const keys: string[] = [];
  while (keys.length < count) {
    const issued = Array.from({ length: 64 }, () => issueKey(database.documents, LIMITS.idle));
    keys.push(...(await Promise.all(issued)));
  }
  return keys;
};

/** The tokens of a prepared bucket. */
const tokensOf = (state: KeyState): number => LIMITS[state].limit / (state === 'half-loaded' ? 2 : 1);

/** Brings keys into the state of a cell. Returns them, with the tokens that this took. */
const prepare = async (cell: Cell, contender: ContenderName, bench: Bench) => {
  const limits = LIMITS[cell.state];
  const isOurs = contender.startsWith('ours');
  if (cell.state === 'idle') {
    const keys = isOurs ? bench.idleKeys : bench.idleKeys.map(() => randomUUID());
    return { keys, admitted: 0 };
  }
  const key = isOurs ? await issueKey(bench.database.documents, limits, tokensOf(cell.state)) : randomUUID();
  const { decide, loadHalf } = bench.contenders.create(contender, limits);
  let admitted = 0;
  if (!isExhausted(cell)) await loadHalf(key);
  else while ((await decide(key)) === 'admitted') admitted += 1;
  return { keys: [key], admitted };
};

export const measure = async (cell: Cell, contender: ContenderName, bench: Bench): Promise<Sample> => {
  const { callers, processes, state } = cell;
  const { durationMs } = bench;
  const limits = LIMITS[state];
  const fullAtMs = Date.now();
  const { keys, admitted } = await prepare(cell, contender, bench);
  const share = keys.length / processes;
  const tallies = await Promise.all(
    bench.workers.slice(0, processes).map((worker, index) => {
      const own = state === 'idle' ? keys.slice(index * share, (index + 1) * share) : keys;
      return worker.ask<Tally>({ contender, limits, keys: own, callers, durationMs } satisfies Sampling);
    }),
  );
  const elapsedSeconds = (Date.now() - fullAtMs) / 1_000;
  const refilled = (elapsedSeconds * limits.limit) / limits.windowSeconds;
  const total = (count: keyof Tally): number => tallies.reduce((sum, tally) => sum + tally[count], 0);
  return {
    calls: total('calls'),
    decisions: total('decisions'),
    remembered: total('remembered'),
    callsOfRemembered: total('callsOfRemembered'),
    decisionsPerSecond: total('decisionsPerSecond'),
    allowed: Math.floor(keys.length * (tokensOf(state) + refilled)),
    admittedInAll: admitted + total('admitted'),
  };
};
