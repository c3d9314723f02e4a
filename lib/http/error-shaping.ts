import { isUnavailable } from '../aws/errors.ts';
import { lazySetting } from '../settings/settings.ts';
import { API_ERRORS, ApiError, type ApiErrorKind, helpLink } from './errors.ts';
import type { Middleware, RequestState } from './received-request.ts';

const errorsUrl = lazySetting('errorsUrl');

/** How long a client should wait while the database is slow or down. */
const UNAVAILABLE_RETRY_AFTER_SECONDS = 1;

/** The public kind of any thrown value. */
export const errorKindOf = (error: unknown): ApiErrorKind => {
  if (error instanceof ApiError) return error.kind;
  return isUnavailable(error) ? 'serviceUnavailable' : 'internal';
};

const retryAfterSecondsOf = (
  kind: ApiErrorKind,
  error: unknown,
  { rateLimit }: RequestState,
): number | undefined => {
  const ownSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (kind === 'rateLimited') return ownSeconds ?? rateLimit?.retryAfterSeconds ?? 1;
  return kind === 'serviceUnavailable' ? UNAVAILABLE_RETRY_AFTER_SECONDS : ownSeconds;
};

/** The headers of an error: when a repetition may succeed, if a time is known, and how to authenticate. */
export const errorHeaders = (
  kind: ApiErrorKind,
  error: unknown,
  state: RequestState,
): Record<string, string> => {
  if (kind === 'invalidApiKey') return { 'WWW-Authenticate': 'Bearer' };
  const seconds = retryAfterSecondsOf(kind, error, state);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
};

/** Converts any thrown value to an `ErrorResponse` with its status and headers. The response has no internal details. */
export const errorShaping = (): Middleware => ({
  onError: (request) => {
    const { error, event } = request;
    const kind = errorKindOf(error);
    const { status, code, message } = API_ERRORS[kind];
    const details = error instanceof ApiError && error.details ? { details: error.details } : {};
    event.state.errorCode = code;
    request.response = {
      statusCode: status,
      headers: { Link: helpLink(errorsUrl(), code), ...errorHeaders(kind, error, event.state) },
      body: JSON.stringify({ code, message, ...details }),
    };
  },
});
