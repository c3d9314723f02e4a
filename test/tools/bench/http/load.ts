import autocannon from 'autocannon';
import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { type OperationRequest, targetOf } from '../../../support/invoke.ts';
import { quantile } from '../support/report.ts';
import { serve } from '../support/worker.ts';

/** Requests over a number of connections. Each connection waits for its response and has its own share of requests. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  /** Seconds, or the number of requests. */
  readonly extent: { readonly duration: number } | { readonly amount: number };
  readonly requests: readonly (readonly [OperationName, OperationRequest])[];
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** @throws Error if a response was missing or not 2xx */
const send = ({ url, connections, extent, requests: asked }: Load): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  const requests = asked.map(([name, request]) => {
    const { headers, body } = request;
    return { method: OPERATIONS[name].method, path: targetOf(name, request), headers, body };
  });
  // The histogram of autocannon has whole milliseconds only.
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  let endedAtMs = startedAtMs;
  let dealt = 0;
  const setupClient = (client: { setRequests(share: typeof requests): void }): void => {
    const share = requests.filter((_, index) => index % connections === dealt);
    dealt += 1;
    if (share.length > 0) client.setRequests(share);
  };
  const load = autocannon(
    { url, connections, ...extent, requests, setupClient },
    (error, { non2xx, errors }) => {
      if (error) reject(error);
      if (non2xx + errors > 0) reject(new Error(`${non2xx} responses were not 2xx, ${errors} were missing`));
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
