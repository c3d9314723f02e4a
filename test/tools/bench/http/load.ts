import autocannon from 'autocannon';
import type { BenchRequest } from '../support/requests.ts';
import { quantile } from '../support/statistics.ts';
import { serve } from '../support/worker.ts';

/**
 * Requests over so many connections, each waiting for its answer; for a time, or a number of them. They are dealt out to
 * the connections, so that no two send the same, unless there are fewer requests than connections.
 */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds?: number;
  readonly count?: number;
  readonly requests: readonly BenchRequest[];
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** @throws Error if an answer was missing or not 2xx */
const send = ({ url, connections, seconds, count, requests }: Load): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  // Not its own histogram, which knows whole milliseconds only.
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  let endedAtMs = startedAtMs;
  const extent = count === undefined ? { duration: seconds ?? 1 } : { amount: count };
  let dealt = 0;
  const setupClient = (client: { setRequests(share: Load['requests']): void }): void => {
    const share = requests.filter((_, index) => index % connections === dealt);
    dealt += 1;
    if (share.length > 0) client.setRequests(share);
  };
  const load = autocannon(
    { url, connections, ...extent, requests, setupClient },
    (error, { non2xx, errors }) => {
      if (error) reject(error);
      if (non2xx + errors > 0) reject(new Error(`${non2xx} answers were not 2xx, ${errors} were missing`));
      resolve({
        requestsPerSecond: (latenciesMs.length * 1_000) / (endedAtMs - startedAtMs),
        p50Ms: quantile(latenciesMs, 0.5),
        p99Ms: quantile(latenciesMs, 0.99),
      });
    },
  );
  load.on('response', (_client: unknown, _status: number, _bytes: number, latencyMs: number) => {
    latenciesMs.push(latencyMs);
    endedAtMs = performance.now();
  });
  return promise;
};

serve(send);
