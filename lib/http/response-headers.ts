import type { Middleware, ReceivedRequest } from './received-request.ts';

/** The headers of every response. Responses to authenticated requests also have the rate-limit headers. */
const headersOf = ({ requestContext, state: { rateLimit } }: ReceivedRequest): Record<string, string> => ({
  'Content-Type': 'application/json',
  // Responses hold personal data and a status that changes.
  'Cache-Control': 'no-store',
  'X-Request-Id': requestContext.requestId,
  ...(rateLimit && {
    'X-RateLimit-Limit': String(rateLimit.limit),
    'X-RateLimit-Remaining': String(rateLimit.remaining),
    'X-RateLimit-Reset': String(rateLimit.resetAtSeconds),
  }),
});

/** Adds the headers that do not depend on the operation to every response, errors included. */
export const responseHeaders = (): Middleware => {
  const complete: NonNullable<Middleware['after']> = ({ event, response }) => {
    if (response) response.headers = { ...headersOf(event), ...response.headers };
  };
  return { after: complete, onError: complete };
};
