import type { RejectedHost } from '../../lib/endpoints/address/host-check.ts';
import type { CreateEndpointResult } from '../../lib/endpoints/create-endpoint.ts';
import type { UpdateEndpointResult } from '../../lib/endpoints/update-endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';

/** A check of a host ends within 1.5 s. */
const CHECK_RETRY_AFTER_SECONDS = 1;

const REJECTIONS = {
  notFound: 'webhookEndpointNotFound',
  reused: 'idempotencyKeyReused',
  tooMany: 'tooManyWebhookEndpoints',
  locked: 'webhookEndpointLocked',
} as const;

const OF_REMOVED = [
  { path: 'headers.idempotency-key', message: 'Its endpoint was deleted. For a new one, use another key' },
];

const hostRejection = (rejected: RejectedHost): ApiError =>
  rejected.outcome === 'busy'
    ? new ApiError('rateLimited', undefined, { retryAfterSeconds: CHECK_RETRY_AFTER_SECONDS })
    : new ApiError('invalidPayload', [{ path: 'url', message: rejected.reason }]);

/** The error of a creation or a change that was rejected. */
export const rejectionOf = (
  rejected: Exclude<CreateEndpointResult | UpdateEndpointResult, { readonly endpoint: unknown }>,
): ApiError => {
  if (rejected.outcome === 'rejectedHost') return hostRejection(rejected.verdict);
  if (rejected.outcome === 'removed') return new ApiError('idempotencyKeyReused', OF_REMOVED);
  return new ApiError(REJECTIONS[rejected.outcome]);
};
