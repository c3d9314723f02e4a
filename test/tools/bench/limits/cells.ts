import { randomUUID } from 'node:crypto';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { type BenchDatabase, issueKey } from '../support/database.ts';
import { AMPLE_LIMITS } from '../support/items.ts';
import type { Worker } from '../support/worker.ts';
import type { LimiterName } from './limiters.ts';
import type { Sampling, Tally } from './worker.ts';

type KeyState = keyof typeof LIMITS;

export interface Cell {
  readonly state: KeyState;
  readonly callers: number;
  readonly processes: number;
}

/** The counts of one limiter in one cell and round, all processes together. */
export interface Sample {
  readonly decisionsPerSecond: number;
  readonly cpuMicrosPerDecision: number;
  readonly decisions: number;
  readonly calls: number;
  readonly admitted: number;
  /** The tokens that one bucket may have given: `limit + elapsed * limit / window`. */
  readonly allowed: number;
  /** The tokens that came back to one bucket. */
  readonly refilled: number;
}

/** Idle keys are used in turn, and each is full again after a millisecond. The other states use one key. */
const LIMITS = {
  idle: { limit: 1_000, windowSeconds: 1 },
  busy: AMPLE_LIMITS,
  exhausted: { limit: 60, windowSeconds: 60 },
  // Ten tokens return each second.
  'exhausted, 10/s': { limit: 100, windowSeconds: 10 },
} as const satisfies Readonly<Record<string, BucketLimits>>;

export const KEY_STATES = Object.keys(LIMITS) as KeyState[];

export const CELLS: readonly Cell[] = KEY_STATES.flatMap((state) =>
  [1, 32].flatMap((callers) => [1, 2].map((processes) => ({ state, callers, processes }))),
);

/** Whether the load exceeds the bucket. */
export const isExhausted = ({ state }: Cell): boolean => state.startsWith('exhausted');

export interface Bench {
  readonly database: BenchDatabase;
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

/** The keys of a cell. A key of rate-limiter-flexible is any text. */
const keysOf = async ({ state }: Cell, limiter: LimiterName, bench: Bench): Promise<readonly string[]> => {
  if (limiter === 'flexible')
    return state === 'idle' ? bench.idleKeys.map(() => randomUUID()) : [randomUUID()];
  if (state === 'idle') return bench.idleKeys;
  const limits = LIMITS[state];
  const tokens = state === 'busy' ? limits.limit / 2 : limits.limit;
  return [await issueKey(bench.database.documents, limits, tokens)];
};

export const measure = async (cell: Cell, limiter: LimiterName, bench: Bench): Promise<Sample> => {
  const { callers, processes, state } = cell;
  const limits = LIMITS[state];
  const fullAtMs = Date.now();
  const keys = await keysOf(cell, limiter, bench);
  const share = keys.length / processes;
  const tallies = await Promise.all(
    bench.workers.slice(0, processes).map((worker, index) => {
      const own = state === 'idle' ? keys.slice(index * share, (index + 1) * share) : keys;
      const isDrained = isExhausted(cell);
      const { durationMs } = bench;
      return worker.ask<Tally>({
        limiter,
        limits,
        keys: own,
        callers,
        durationMs,
        isDrained,
      } satisfies Sampling);
    }),
  );
  const refilled = (((Date.now() - fullAtMs) / 1_000) * limits.limit) / limits.windowSeconds;
  const total = (of: (tally: Tally) => number): number => tallies.reduce((sum, tally) => sum + of(tally), 0);
  const decisions = total((tally) => tally.decisions);
  return {
    decisions,
    decisionsPerSecond: total((tally) => (tally.decisions * 1_000) / tally.elapsedMs),
    cpuMicrosPerDecision: (total((tally) => tally.cpuMs) * 1_000) / decisions,
    calls: total((tally) => tally.calls),
    admitted: total((tally) => tally.admitted),
    allowed: Math.floor(limits.limit + refilled),
    refilled,
  };
};
