import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ApiKey, isWellFormedApiKey } from '../api-keys/api-key.ts';
import type { Admission, Authenticator } from '../api-keys/authenticator.ts';
import type { Clock } from '../clock.ts';
import { DATABASE_BUDGET_MS } from '../dynamodb.ts';
import { bearerToken } from './bearer-token.ts';
import { ApiError } from './errors.ts';
import type { Middleware, Parsed, RequestState } from './request-state.ts';

/** A request that passed: its key is good, a token was taken, its input is valid and the read has answered. */
export interface AdmittedRequest<Input, Resource> {
  readonly apiKey: ApiKey;
  /** The API key's own text, as the client sent it. */
  readonly secret: string;
  readonly input: Input;
  /** What the operation's read found. */
  readonly resource: Resource | undefined;
  readonly nowMs: number;
  /** Ends the database's share of the request's time. */
  readonly signal: AbortSignal;
}

export interface AdmissionOptions<Input, Resource> {
  readonly authenticator: Authenticator;
  /** The one read that the operation needs; it runs beside the authentication. */
  readonly read: (input: Input, signal: AbortSignal) => Promise<Resource | undefined>;
  readonly now: Clock;
}

/** The text of the well-formed API key that a request carries, if it does. */
const secretOf = ({ headers }: APIGatewayProxyEvent): string | undefined => {
  const token = bearerToken(headers['authorization']);
  return token !== undefined && isWellFormedApiKey(token) ? token : undefined;
};

/** Keeps what a verdict tells of the key for headers and log, and throws if the verdict is a refusal. */
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
 * Admits a request, or refuses it in this order: 401, 429, 422.
 *
 * Authentication with its token and the operation's read start at once, so both cost one round trip. A read that
 * fails says so only when its turn comes: it neither crashes the process nor hides a 401 or a 429.
 *
 * Puts an {@link AdmittedRequest} in the event's place, for the handler.
 */
export const admission = <Input, Resource>({
  authenticator,
  read,
  now,
}: AdmissionOptions<Input, Resource>): Middleware => ({
  before: async (request) => {
    const { event, internal } = request;
    const parsed = internal.parsed as Parsed<Input>;
    const secret = secretOf(event);
    if (secret === undefined) throw new ApiError('invalidApiKey');
    const refusal = authenticator.recall(secret);
    if (refusal) settle(refusal, internal);

    const signal = AbortSignal.timeout(DATABASE_BUDGET_MS);
    const reading = parsed.ok ? read(parsed.input, signal) : undefined;
    // The verdict may come first, or the authentication throw; a rejection nobody awaits would end the process.
    reading?.catch(() => undefined);
    const apiKey = settle(await authenticator.admit(secret, signal), internal);
    if (!parsed.ok) throw new ApiError('invalidPayload', parsed.details);

    const { input } = parsed;
    const admitted: AdmittedRequest<Input, Resource> = {
      apiKey,
      secret,
      input,
      resource: await reading,
      nowMs: now(),
      signal,
    };
    // Middy hands the handler whatever stands in the event's place; the pipeline types it so.
    request.event = admitted as unknown as APIGatewayProxyEvent;
  },
});
