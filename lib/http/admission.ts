import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiKey } from '../api-keys/api-key.ts';
import type { Mode } from '../core/mode.ts';
import type { Admission, Authenticator } from '../api-keys/authenticator.ts';
import type { RequestMetric } from '../core/metric-names.ts';
import { keyRejection } from './api-key.ts';
import { startDatabaseDeadline } from './database-deadline.ts';
import { ApiError } from './errors.ts';
import type { RequestClock } from './request-clock.ts';
import type { Middleware, Parsed, RequestState } from './request-state.ts';

/** A request with a valid key, a taken token, valid input and the result of its read. */
export interface AdmittedRequest<Input, Resource> {
  readonly apiKey: ApiKey;
  readonly input: Input;
  /** The result of the operation's read, if it has one. */
  readonly resource: Resource | undefined;
  readonly nowMs: number;
  /** Aborts the request's database calls when their time is up. */
  readonly signal: AbortSignal;
  /** Counts one occurrence in the request's log line. */
  readonly count: (metric: RequestMetric) => void;
}

/** An event with the admitted request, which {@link admission} adds for the handler. */
export interface AdmittedEvent<Input, Resource> extends APIGatewayProxyEvent {
  admitted: AdmittedRequest<Input, Resource>;
}

export interface AdmissionOptions<Input, Resource = undefined> {
  readonly authenticator: Authenticator;
  /** The one read that the operation needs, if any. `mode` is that of the key's text, which is not authenticated yet. */
  readonly read?: (input: Input, signal: AbortSignal, mode: Mode) => Promise<Resource | undefined>;
}

/** The key of an admitted request. Keeps the rate limit, the key's id and its store. Throws an `ApiError` for a rejection. */
const settle = (verdict: Admission, internal: RequestState): ApiKey => {
  if (verdict.outcome !== 'admitted') throw keyRejection(verdict, internal);
  internal.rateLimit = verdict.rateLimit;
  internal.keyId = verdict.apiKey.keyId;
  internal.storeId = verdict.apiKey.storeId;
  return verdict.apiKey;
};

/**
 * Admits a request, or rejects it in this order: 401, 429, 422. It expects `clock`, `claimedKeyId`, `mode` and `parsed`.
 *
 * The authentication and the operation's read start together, so both take one round trip. A failed read counts only
 * after 401 and 429 are ruled out.
 */
export const admission = <Input, Resource>({
  authenticator,
  read,
}: AdmissionOptions<Input, Resource>): Middleware<AdmittedEvent<Input, Resource>> => {
  const cancelDeadline = ({ internal }: { readonly internal: RequestState }): void =>
    internal.deadline?.cancel();
  const before: Middleware<AdmittedEvent<Input, Resource>>['before'] = async ({
    event,
    context,
    internal,
  }) => {
    const { clock, claimedKeyId, mode, parsed } = internal as {
      clock: RequestClock;
      claimedKeyId: string;
      mode: Mode;
      parsed: Parsed<Input>;
    };
    internal.deadline = startDatabaseDeadline(context);
    const { signal } = internal.deadline;
    const reading = parsed.ok ? read?.(parsed.input, signal, mode) : undefined;
    // Until the read is awaited, an unhandled rejection would end the process.
    reading?.catch(() => undefined);
    const apiKey = settle(await authenticator.admit(claimedKeyId, clock.now, signal), internal);
    if (!parsed.ok) throw new ApiError('invalidPayload', parsed.details);

    const { input } = parsed;
    const count = (metric: RequestMetric): void => void (internal.counted = metric);
    event.admitted = { apiKey, input, resource: await reading, nowMs: clock.now(), signal, count };
  };
  return { before, after: cancelDeadline, onError: cancelDeadline };
};
