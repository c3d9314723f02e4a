import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { serve } from '../support/worker.ts';
import { type ContenderName, createContenders, type Decision } from './contenders.ts';

export interface Sampling {
  readonly contender: ContenderName;
  readonly limits: BucketLimits;
  readonly keys: readonly string[];
  readonly callers: number;
  readonly durationMs: number;
}

export type Tally = Readonly<Record<Decision, number>> & {
  /** The measured decisions: all except the first one. */
  readonly decisions: number;
  readonly calls: number;
  /** The calls sent while a denial was remembered. Exact with one caller only. */
  readonly callsOfRemembered: number;
  readonly decisionsPerSecond: number;
};

const contenders = createContenders(process.argv[2] ?? '');

const sample = async ({ contender, limits, keys, callers, durationMs }: Sampling): Promise<Tally> => {
  const { decide } = contenders.create(contender, limits);
  const counts = { admitted: 0, denied: 0, remembered: 0 };
  // Excluded: a new environment makes one extra call for a busy key.
  counts[await decide(keys[0] ?? '')] += 1;
  const callsBefore = contenders.calls();
  const startedAtMs = performance.now();
  let decisions = 0;
  let callsOfRemembered = 0;
  const call = async (): Promise<void> => {
    while (performance.now() < startedAtMs + durationMs) {
      decisions += 1;
      const before = contenders.calls();
      const decision = await decide(keys[decisions % keys.length] ?? '');
      counts[decision] += 1;
      if (decision === 'remembered' && callers === 1) callsOfRemembered += contenders.calls() - before;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return {
    ...counts,
    decisions,
    calls: contenders.calls() - callsBefore,
    callsOfRemembered,
    decisionsPerSecond: (decisions * 1_000) / (performance.now() - startedAtMs),
  };
};

serve(sample);
