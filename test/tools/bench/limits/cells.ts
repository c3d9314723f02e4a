import { randomUUID } from 'node:crypto';
import { DEFAULT_LIMITS } from '../../../../lib/api-keys/limits.ts';
import { AMPLE_LIMITS, type BenchDatabase, issueKey } from '../support/database.ts';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import type { Worker } from '../support/worker.ts';
import type { ContenderName } from './contenders.ts';
import type { Preparation, Sampling, Tally } from './worker.ts';

/** How full a key's bucket is when it is asked. */
export type KeyState = 'idle' | 'half-loaded' | 'exhausted' | 'exhausted, 10/s';

export interface Cell {
  readonly state: KeyState;
  readonly callers: number;
  readonly processes: number;
}

/** What came of one contender in one cell and round, all processes together. */
export interface Sample extends Omit<Tally, 'elapsedMs'> {
  readonly decisionsPerSecond: number;
  readonly decisions: number;
  /** Tokens that the bucket may have given from when it was full: `limit + elapsed * limit / window`. */
  readonly allowed: number;
  /** Those that it gave since then, preparation included. */
  readonly admittedInAll: number;
}

/** A key that is idle is one of many in turn, each full again in a millisecond; the other states are one key's. */
const LIMITS: Readonly<Record<KeyState, BucketLimits>> = {
  idle: { limit: 1_000, windowSeconds: 1 },
  'half-loaded': AMPLE_LIMITS,
  exhausted: DEFAULT_LIMITS,
  // Ten tokens a second come back: so that there is something to give too much of.
  'exhausted, 10/s': { limit: 100, windowSeconds: 10 },
};

export const CELLS: readonly Cell[] = (Object.keys(LIMITS) as KeyState[]).flatMap((state) =>
  [1, 32].flatMap((callers) => [1, 2].map((processes) => ({ state, callers, processes }))),
);

export const isExhausted = ({ state }: Cell): boolean => state.startsWith('exhausted');

/** What a memory of denials adds shows where there are denials. */
export const contendersOf = (cell: Cell): readonly ContenderName[] =>
  isExhausted(cell) ? ['ours', 'ours + memory', 'rlf', 'rlf + block'] : ['ours', 'rlf'];

export interface Bench {
  readonly database: BenchDatabase;
  readonly workers: readonly Worker[];
  /** Keys of ours that are idle. */
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

interface Prepared {
  readonly keysOf: (process: number) => readonly string[];
  /** Tokens that were there at first. */
  readonly tokens: number;
  readonly admitted: number;
}

const prepare = async (cell: Cell, contender: ContenderName, bench: Bench): Promise<Prepared> => {
  const limits = LIMITS[cell.state];
  const isOurs = contender.startsWith('ours');
  if (cell.state === 'idle') {
    const names = isOurs ? bench.idleKeys : Array.from({ length: bench.idleKeys.length }, () => randomUUID());
    const share = names.length / cell.processes;
    return {
      keysOf: (process) => names.slice(process * share, (process + 1) * share),
      tokens: names.length * limits.limit,
      admitted: 0,
    };
  }
  const isHalf = cell.state === 'half-loaded';
  const tokens = isHalf ? limits.limit / 2 : limits.limit;
  const key = isOurs ? await issueKey(bench.database.documents, limits, tokens) : randomUUID();
  const preparation: Preparation = { kind: isHalf ? 'load half' : 'drain', contender, limits, key };
  const admitted = await bench.workers[0]!.ask<number | undefined>(preparation);
  return { keysOf: () => [key], tokens, admitted: admitted ?? 0 };
};

/** Measures one contender in one cell, once. */
export const measure = async (cell: Cell, contender: ContenderName, bench: Bench): Promise<Sample> => {
  const limits = LIMITS[cell.state];
  const fullAtMs = Date.now();
  const { keysOf, tokens, admitted } = await prepare(cell, contender, bench);
  const { callers, processes } = cell;
  const { durationMs } = bench;
  const tallies = await Promise.all(
    bench.workers.slice(0, processes).map((worker, index) => {
      const sampling: Sampling = {
        kind: 'sample',
        contender,
        limits,
        keys: keysOf(index),
        callers,
        durationMs,
      };
      return worker.ask<Tally>(sampling);
    }),
  );
  const elapsedSeconds = (Date.now() - fullAtMs) / 1_000;
  const buckets = cell.state === 'idle' ? bench.idleKeys.length : 1;
  const sum = (count: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + count(tally), 0);
  return {
    admitted: sum((tally) => tally.admitted),
    denied: sum((tally) => tally.denied),
    remembered: sum((tally) => tally.remembered),
    calls: sum((tally) => tally.calls),
    callsOfRemembered: sum((tally) => tally.callsOfRemembered),
    decisions: sum((tally) => tally.decisions),
    decisionsPerSecond: sum((tally) => (tally.decisions * 1_000) / tally.elapsedMs),
    allowed: Math.floor(tokens + (buckets * elapsedSeconds * limits.limit) / limits.windowSeconds),
    admittedInAll: admitted + sum((tally) => tally.admitted),
  };
};
