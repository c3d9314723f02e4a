import { setImmediate } from 'node:timers/promises';
import { localClientConfig } from '../../../../infra/local/local-database.ts';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { createDocumentClient } from '../../../../lib/aws.ts';
import { countRequests } from '../../../support/documents.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { serve } from '../support/worker.ts';
import { createLimiter, type LimiterName } from './limiters.ts';

export interface Sampling {
  readonly limiter: LimiterName;
  readonly limits: BucketLimits;
  readonly keys: readonly string[];
  readonly callers: number;
  readonly durationMs: number;
  /** Whether all callers empty the bucket first, and decide on the empty bucket then. */
  readonly isDrained: boolean;
}

export interface Tally {
  /** All tokens decided, also before the measurement. */
  readonly admitted: number;
  /** The measured decisions, and what they took. */
  readonly decisions: number;
  readonly calls: number;
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** After this number of decisions, other work of the process gets its turn, as between requests. */
const DECISIONS_PER_TURN = 64;

const documents = createDocumentClient(localClientConfig(process.argv[2] ?? ''));
const callCount = countRequests(documents);

const sample = async (sampling: Sampling): Promise<Tally> => {
  const { limiter, limits, keys, callers, durationMs, isDrained } = sampling;
  const take = createLimiter(limiter, documents, limits);
  let admitted = 0;
  let decided = 0;
  const decide = async (): Promise<boolean> => {
    decided += 1;
    const isAdmitted = await take(keys[decided % keys.length]!);
    if (isAdmitted) admitted += 1;
    if (decided % DECISIONS_PER_TURN === 0) await setImmediate();
    return isAdmitted;
  };
  const byAllCallers = (run: () => Promise<void>) => Promise.all(Array.from({ length: callers }, run));
  await byAllCallers(async () => {
    // Once at least: a new environment makes one extra call for a busy key.
    let mayHaveToken = await decide();
    while (mayHaveToken) mayHaveToken = isDrained && (await decide());
  });
  const started = { decided, calls: callCount(), cpuMs: cpuMs(), atMs: performance.now() };
  await byAllCallers(async () => {
    while (performance.now() < started.atMs + durationMs) await decide();
  });
  return {
    admitted,
    decisions: decided - started.decided,
    calls: callCount() - started.calls,
    elapsedMs: performance.now() - started.atMs,
    cpuMs: cpuMs() - started.cpuMs,
  };
};

serve(sample);
