import type { ApiKey } from '../api-keys/api-key.ts';
import type { Authenticator, KeyVerdict } from '../api-keys/authenticator.ts';
import type { Clock } from '../core/clock.ts';
import type { Mode } from '../stores/mode.ts';
import type { RequestMetric } from '../telemetry/metric-names.ts';
import { ApiError } from './errors.ts';
import type { Parsed } from './operation-input.ts';
import type { RequestState } from './received-request.ts';
import { rejectKey, type RequestKey } from './request-key.ts';

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

export interface AdmissionOptions<Input, Resource = undefined> {
  readonly authenticator: Authenticator;
  /** The one read that the operation needs, if any. `mode` is that of the key's text, which is not authenticated yet. */
  readonly read?: (input: Input, signal: AbortSignal, mode: Mode) => Promise<Resource | undefined>;
}

/** Returns the authenticated key, and keeps its id, store and rate limit in `state`. Throws an `ApiError` for a rejection. */
const requireKey = (verdict: KeyVerdict, state: RequestState): ApiKey => {
  if (verdict.outcome !== 'authenticated') return rejectKey(verdict, state);
  state.rateLimit = verdict.rateLimit;
  state.keyId = verdict.apiKey.keyId;
  state.storeId = verdict.apiKey.storeId;
  return verdict.apiKey;
};

interface AdmissionContext {
  /** The clock of the request. */
  readonly now: Clock;
  /** Ends the request's database calls. */
  readonly signal: AbortSignal;
  readonly state: RequestState;
}

/**
 * Admits a request, or rejects it in this order: 401, 429, 422.
 *
 * The authentication and the operation's read start together, so both take one round trip. A failed read counts only
 * after 401 and 429 are ruled out.
 *
 * @throws ApiError for a rejection
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const admit = async <Input, Resource>(
  { keyId, mode }: RequestKey,
  parsed: Parsed<Input>,
  { authenticator, read }: AdmissionOptions<Input, Resource>,
  { now, signal, state }: AdmissionContext,
): Promise<AdmittedRequest<Input, Resource>> => {
  const reading = parsed.ok ? read?.(parsed.input, signal, mode) : undefined;
  // Until the read is awaited, an unhandled rejection would end the process.
  reading?.catch(() => undefined);
  const apiKey = requireKey(await authenticator.authenticate(keyId, now, signal), state);
  if (!parsed.ok) throw new ApiError('invalidPayload', parsed.details);

  const { input } = parsed;
  const count = (metric: RequestMetric): void => void (state.counted = metric);
  return { apiKey, input, resource: await reading, nowMs: now(), signal, count };
};
