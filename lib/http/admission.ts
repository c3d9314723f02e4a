import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ApiKey, isWellFormedApiKey } from '../api-keys/api-key.ts';
import type { Admission, Authenticator } from '../api-keys/authenticator.ts';
import type { Clock } from '../clock.ts';
import { DATABASE_BUDGET_MS } from '../dynamodb.ts';
import { bearerToken } from './bearer-token.ts';
import { ApiError } from './errors.ts';
import type { Middleware, Parsed, RequestState } from './request-state.ts';

/** A request with a good key, a taken token, valid input and a finished read. */
export interface AdmittedRequest<Input, Resource> {
  readonly apiKey: ApiKey;
  /** The API key's own text, as the client sent it. */
  readonly secret: string;
  readonly input: Input;
  /** The result of the operation's read; `undefined` for an operation without one. */
  readonly resource: Resource | undefined;
  readonly nowMs: number;
  /** Ends the database's share of the request's time. */
  readonly signal: AbortSignal;
}

/** An event to which {@link admission} adds the admitted request, for the handler. */
export interface AdmittedEvent<Input, Resource> extends APIGatewayProxyEvent {
  admitted: AdmittedRequest<Input, Resource>;
}

export interface AdmissionOptions<Input, Resource = undefined> {
  readonly authenticator: Authenticator;
  /** The one read that the operation needs, if any. It runs beside the authentication. */
  readonly read?: (input: Input, signal: AbortSignal) => Promise<Resource | undefined>;
  readonly now: Clock;
}

/** The well-formed API key of a request, if there is one. */
const secretOf = ({ headers }: APIGatewayProxyEvent): string | undefined => {
  const token = bearerToken(headers['authorization']);
  return token !== undefined && isWellFormedApiKey(token) ? token : undefined;
};

/** Keeps the verdict's facts for headers and log. Throws if the verdict is a rejection. */
const settle = (verdict: Admission, internal: RequestState): ApiKey => {
  if (verdict.outcome === 'unknown') throw new ApiError('invalidApiKey');
  internal.rateLimit = verdict.rateLimit;
  if (verdict.outcome === 'limited') {
    internal.keyId = verdict.keyId;
    throw new ApiError('rateLimited');
  }
  internal.keyId = verdict.apiKey.keyId;
  internal.storeId = verdict.apiKey.storeId;
  return verdict.apiKey;
};

/**
 * Admits a request, or rejects it in this order: 401, 429, 422.
 *
 * The authentication and the operation's read start together, so both cost one round trip. A failed read is reported
 * only when its turn comes: it neither ends the process nor hides a 401 or a 429.
 */
export const admission = <Input, Resource>({
  authenticator,
  read,
  now,
}: AdmissionOptions<Input, Resource>): Middleware<AdmittedEvent<Input, Resource>> => ({
  before: async ({ event, internal }) => {
    const parsed = internal.parsed as Parsed<Input>;
    const secret = secretOf(event);
    if (secret === undefined) throw new ApiError('invalidApiKey');
    const rejection = authenticator.recall(secret);
    if (rejection) settle(rejection, internal);

    const signal = AbortSignal.timeout(DATABASE_BUDGET_MS);
    const reading = parsed.ok ? read?.(parsed.input, signal) : undefined;
    // The verdict may come first, or the authentication throw. An unhandled rejection would end the process.
    reading?.catch(() => undefined);
    const apiKey = settle(await authenticator.admit(secret, signal), internal);
    if (!parsed.ok) throw new ApiError('invalidPayload', parsed.details);

    const { input } = parsed;
    event.admitted = { apiKey, secret, input, resource: await reading, nowMs: now(), signal };
  },
});
