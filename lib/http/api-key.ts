import { apiKeyId, isWellFormedApiKey, modeOf } from '../api-keys/api-key.ts';
import type { Authenticator, Rejection } from '../api-keys/authenticator.ts';
import { bearerToken } from './bearer-token.ts';
import { ApiError } from './errors.ts';
import type { Middleware, RequestState } from './request-state.ts';

/** Converts a rejection of a key to its `ApiError`, and keeps the rate limit for the headers and the log. */
export const keyRejection = (rejection: Rejection, internal: RequestState): ApiError => {
  if (rejection.outcome === 'unknown') return new ApiError('invalidApiKey');
  internal.rateLimit = rejection.rateLimit;
  internal.keyId = rejection.keyId;
  internal.storeId = rejection.storeId;
  internal.isKeyThrottled = rejection.isThrottled === true;
  return new ApiError('rateLimited');
};

/**
 * Keeps the id of a request's API key in `claimedKeyId`, and its mode. It rejects a missing or malformed key, and one that this environment
 * remembers as unknown or exhausted. It runs before the body is read, so such a request costs almost no CPU.
 *
 * It expects lower-case header names and `clock`.
 */
export const apiKey = (authenticator: Pick<Authenticator, 'recall'>): Middleware => ({
  before: ({ event, internal }) => {
    const token = bearerToken(event.headers['authorization']);
    if (token === undefined || !isWellFormedApiKey(token)) throw new ApiError('invalidApiKey');
    internal.mode = modeOf(token);
    const keyId = apiKeyId(token);
    const rejection = authenticator.recall(keyId, internal.clock!.now());
    if (rejection) throw keyRejection(rejection, internal);
    internal.claimedKeyId = keyId;
  },
});
