import { apiKeyId, keyFormIssue, isWellFormedApiKey, modeOf } from '../api-keys/api-key.ts';
import type { Authenticator, KeyRejection } from '../api-keys/authenticator.ts';
import type { Mode } from '../stores/mode.ts';
import { ApiError } from './errors.ts';
import type { ReceivedRequest, RequestState } from './received-request.ts';
import type { RequestHeaders } from './request-headers.ts';

/** RFC 9110, 11.4 and RFC 6750, 2.1: a scheme in any case, spaces, then the token. */
const BEARER_CREDENTIALS = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of a bearer `Authorization` header. `undefined` if the header is missing or malformed. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization?.match(BEARER_CREDENTIALS)?.[1];

/** Says what is wrong with the form of the `Authorization` header. It repeats nothing of the request, which may be a key. */
const authorizationIssue = (headers: RequestHeaders['headers']): string => {
  const header = headers['authorization']?.trim();
  if (header === undefined) {
    return headers['x-api-key'] === undefined
      ? 'The header is missing: send Authorization: Bearer {key}'
      : 'Send the key as Authorization: Bearer {key}, not as X-API-Key';
  }
  const [, sent] = header.match(/^Bearer(?:\s+(.*))?$/is) ?? [];
  if (/^Bearer(?:\s|$)/i.test(header)) {
    return keyFormIssue(sent ?? '') ?? 'A space must separate Bearer and the key';
  }
  return header.startsWith('cck_')
    ? 'The scheme is missing: send Bearer {key}'
    : `The scheme must be Bearer${/^Basic\s/i.test(header) ? ', not Basic' : ''}`;
};

/** The well-formed API key of a request. It is not authenticated yet. */
export interface RequestKey {
  readonly keyId: string;
  /** The mode by the key's text. */
  readonly mode: Mode;
}

/**
 * Rejects a request for its key. Keeps the key's id, store and rate limit in `state`, for the headers and the log.
 *
 * @throws ApiError always
 */
export const rejectKey = (rejection: KeyRejection, state: RequestState): never => {
  if (rejection.outcome === 'unknown') throw new ApiError('invalidApiKey');
  state.rateLimit = rejection.rateLimit;
  state.keyId = rejection.keyId;
  state.storeId = rejection.storeId;
  state.isKeyThrottled = rejection.isThrottled === true;
  throw new ApiError('rateLimited');
};

/**
 * Reads the API key of a request, before its body: a rejected request costs almost no CPU.
 *
 * @throws ApiError if the key is missing or malformed, or if this environment remembers it as unknown or exhausted
 */
export const readKey = (
  { headers, repeated, state }: ReceivedRequest,
  authenticator: Authenticator,
  nowMs: number,
): RequestKey => {
  const keyText = bearerToken(headers['authorization']);
  if (keyText === undefined || !isWellFormedApiKey(keyText)) {
    throw new ApiError('invalidApiKey', [
      { path: 'headers.authorization', message: authorizationIssue(headers) },
    ]);
  }
  const mode = modeOf(keyText);
  state.mode = mode;
  if (mode === 'test' && repeated.includes('authorization')) {
    throw new ApiError('invalidApiKey', [{ path: 'headers.authorization', message: 'Must be sent once' }]);
  }
  const keyId = apiKeyId(keyText);
  const rejection = authenticator.recallRejection(keyId, nowMs);
  if (rejection) return rejectKey(rejection, state);
  return { keyId, mode };
};
