import { isContention } from '../aws/errors.ts';
import { CANARY_STORE_ID } from '../canary/canary-store.ts';
import type { RequestMetric } from '../telemetry/metric-names.ts';
import { embeddedMetrics } from '../telemetry/metrics.ts';
import type { RequestState } from './received-request.ts';

/** The metrics that a status counts by itself. */
const COUNTED_STATUSES: Readonly<Partial<Record<number, RequestMetric>>> = {
  429: 'RequestsLimited',
  503: 'DatabaseUnavailable',
};

/**
 * A 5xx also counts by the function's version, on Lambda: a bad version is rolled back (`infra/stack/rollout.ts`). One that
 * callers can cause does not, in either mode: nobody outside may stop a release.
 */
const byVersion = (operation: string, status: number, error: unknown) => {
  const { AWS_LAMBDA_FUNCTION_VERSION: version } = process.env;
  if (status < 500 || version === undefined || isContention(error)) return undefined;
  return { metric: 'ServerErrors', dimensions: { operation, version } } as const;
};

/** The alarm `ThrottledKeys` watches all operations and modes. */
const OF_STAGE = { metric: 'KeysThrottled', dimensions: {} } as const;

/**
 * The metrics in the log line of a request. `ClientErrors` is 0 or 1: its average is the share of such responses, and its
 * number of samples is the number of requests. All others are absent or 1. The requests of the canary's store count in no metric.
 *
 * @param error the reason of a 5xx
 */
export const requestMetrics = (
  operation: string,
  status: number,
  state: RequestState,
  error?: unknown,
): Readonly<Record<string, unknown>> => {
  const { mode = 'none', storeId, counted, isKeyThrottled = false } = state;
  if (storeId === CANARY_STORE_ID) return { operation, mode };
  // A request counts its operation's metric or its rejection's status, never both.
  const once = counted ?? COUNTED_STATUSES[status];
  return embeddedMetrics(
    { operation, mode },
    {
      ClientErrors: status >= 400 && status < 500 ? 1 : 0,
      ...(status >= 500 && { ServerErrors: 1 }),
      ...(once && { [once]: 1 }),
      ...(isKeyThrottled && { KeysThrottled: 1 }),
    },
    isKeyThrottled ? OF_STAGE : byVersion(operation, status, error),
  );
};
