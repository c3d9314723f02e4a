import autocannon from 'autocannon';
import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { type OperationRequest, targetOf } from '../../../support/invoke.ts';
import { quantile } from '../support/report.ts';
import { serve } from '../support/worker.ts';

/** Medusa needs seconds for a request at 64 connections. */
const TIMEOUT_SECONDS = 20;

/** A request to any system. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A text that the body of a valid response has. */
  readonly validText: string;
}

/** Requests over a number of connections. Each connection waits for its response and has its own share of requests. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  /** Seconds, or the number of requests. */
  readonly extent: { readonly duration: number } | { readonly amount: number };
  /** How many responses may be missing; none if absent. */
  readonly missingMax?: number;
  readonly requests: readonly (readonly [OperationName, OperationRequest] | HttpRequest)[];
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** @throws Error if a response was missing, not 2xx or not valid */
const send = ({ url, connections, extent, missingMax = 0, requests: asked }: Load): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  let invalid: string | undefined;
  const requests = asked.map((request) => {
    if (!('validText' in request)) {
      const [name, { headers, body }] = request;
      return { method: OPERATIONS[name].method, path: targetOf(name, request[1]), headers, body };
    }
    const { method, path, headers, body: text, validText } = request;
    const onResponse = (_status: number, body: string): void => {
      if (!body.includes(validText)) invalid ??= body;
    };
    return { method, path, headers, body: text, onResponse };
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
    { url, connections, ...extent, timeout: TIMEOUT_SECONDS, requests, setupClient },
    (error, { non2xx, errors, statusCodeStats }) => {
      if (error) reject(error);
      if (non2xx > 0 || errors > missingMax) {
        const statuses = JSON.stringify(statusCodeStats);
        reject(new Error(`${non2xx} responses were not 2xx, ${errors} were missing: ${statuses}`));
      }
      if (invalid !== undefined) reject(new Error(`A response was not valid: ${invalid}`));
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
