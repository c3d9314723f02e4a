import { join } from 'node:path';
import type { Client, Request } from 'autocannon';
import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { type OperationRequest, targetOf } from '../../../support/functions/invoke.ts';
import { installPackages } from '../../../support/programs/install-packages.ts';
import { quantile } from '../../report.ts';
import { serve } from './worker.ts';

await installPackages(join(import.meta.dirname, '../..'));
const { default: autocannon } = await import('autocannon');

const TIMEOUT_SECONDS = 60;

/** The figures of all requests but the rejected ones. */
export interface LoadResult {
  /** The responses with 503. */
  readonly rejections: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Requests over a number of connections. Each connection waits for its response and has its own share of requests. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  /** Seconds, or the number of requests. */
  readonly extent: { readonly duration: number } | { readonly amount: number };
  readonly requests: readonly (readonly [OperationName, OperationRequest])[];
  /** Whether the system may respond with 503. */
  readonly mayReject?: boolean;
}

/** Sends a load. Rejects if a response was missing, or neither 2xx nor an allowed 503. */
const send = ({
  url,
  connections,
  extent,
  requests: asked,
  mayReject = false,
}: Load): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  const requests = asked.map(([name, request]): Request => ({
    method: OPERATIONS[name].method,
    path: targetOf(name, request),
    headers: { ...request.headers },
    body: request.body === undefined ? undefined : String(request.body),
  }));
  // The histogram of autocannon has whole milliseconds only.
  const latenciesMs: number[] = [];
  let rejections = 0;
  const startedAtMs = performance.now();
  let endedAtMs = startedAtMs;
  let dealt = 0;
  const setupClient = (client: Client): void => {
    const share = requests.filter((_, index) => index % connections === dealt);
    dealt += 1;
    if (share.length > 0) client.setRequests(share);
  };
  const load = autocannon(
    { url, connections, ...extent, timeout: TIMEOUT_SECONDS, requests, setupClient },
    (error, { non2xx, errors, timeouts, statusCodeStats }) => {
      if (error) reject(error);
      // A connection that the server closes early can lose its request without an error.
      const lost = 'amount' in extent ? extent.amount - latenciesMs.length - rejections - errors : 0;
      if (non2xx - (mayReject ? rejections : 0) + errors + lost > 0) {
        const missing = `${errors - timeouts} by a failed connection, ${timeouts} after ${TIMEOUT_SECONDS} s, ${lost} without an error`;
        const statuses = JSON.stringify(statusCodeStats);
        reject(new Error(`${non2xx} responses were not 2xx. Missing: ${missing}. Statuses: ${statuses}`));
      }
      resolve({
        rejections,
        requestsPerSecond: (latenciesMs.length * 1_000) / (endedAtMs - startedAtMs),
        p50Ms: quantile(latenciesMs, 0.5),
        p99Ms: quantile(latenciesMs, 0.99),
      });
    },
  );
  load.on('response', (_client: unknown, status: number, _bytes: number, latencyMs: number) => {
    if (status === 503) rejections += 1;
    else latenciesMs.push(latencyMs);
    endedAtMs = performance.now();
  });
  return promise;
};

serve(send);
