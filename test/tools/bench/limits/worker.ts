import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { serve } from '../support/worker.ts';
import { type ContenderName, createContenders, type Decision } from './contenders.ts';

/** Prepares a key, as a process of its own that nobody measures. */
export interface Preparation {
  readonly kind: 'drain' | 'load half';
  readonly contender: ContenderName;
  readonly limits: BucketLimits;
  readonly key: string;
}

/** Decides as fast as it can. */
export interface Sampling {
  readonly kind: 'sample';
  readonly contender: ContenderName;
  readonly limits: BucketLimits;
  /** Used in turn. */
  readonly keys: readonly string[];
  readonly callers: number;
  readonly durationMs: number;
}

export type Tally = Readonly<Record<Decision, number>> & {
  /** Those that are counted in time and calls: all but the first. */
  readonly decisions: number;
  readonly calls: number;
  /** The calls sent while a denial was remembered; exact with one caller only. */
  readonly callsOfRemembered: number;
  readonly elapsedMs: number;
};

const contenders = createContenders(process.argv[2] ?? '');

/** Takes all there is; returns how much that was. */
const drain = async ({ contender, limits, key }: Preparation): Promise<number> => {
  const { decide } = contenders.create(contender, limits);
  let admitted = 0;
  while ((await decide(key)) === 'admitted') admitted += 1;
  return admitted;
};

const sample = async ({ contender, limits, keys, callers, durationMs }: Sampling): Promise<Tally> => {
  const { decide } = contenders.create(contender, limits);
  const decisions = { admitted: 0, denied: 0, remembered: 0 };
  // An environment that never saw a busy key needs a second call, once: what is counted is how it goes on.
  decisions[await decide(keys[0] ?? '')] += 1;
  const callsBefore = contenders.calls();
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + durationMs;
  let turn = 1;
  let decided = 0;
  let callsOfRemembered = 0;
  const call = async (): Promise<void> => {
    while (performance.now() < endsAtMs) {
      const key = keys[turn++ % keys.length] ?? '';
      const before = contenders.calls();
      const decision = await decide(key);
      decisions[decision] += 1;
      decided += 1;
      if (decision === 'remembered' && callers === 1) callsOfRemembered += contenders.calls() - before;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return {
    ...decisions,
    decisions: decided,
    calls: contenders.calls() - callsBefore,
    callsOfRemembered,
    elapsedMs: performance.now() - startedAtMs,
  };
};

serve(async (request: Preparation | Sampling) => {
  if (request.kind === 'sample') return sample(request);
  if (request.kind === 'drain') return drain(request);
  return contenders.create(request.contender, request.limits).loadHalf(request.key);
});
