import { type ApiKey, shownKeyId } from '../api-keys/api-key.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import { fingerprintOf } from '../idempotency/fingerprint.ts';
import { keyedHash } from '../idempotency/keyed-hash.ts';
import type { StoreMode } from '../stores/mode.ts';
import type { CheckHost, RejectedHost } from './address/host-check.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import type { EndpointRepository } from './endpoint-repository.ts';
import { generateEndpointId, type WebhookEndpoint } from './endpoint.ts';

/** An admitted request for an endpoint. */
interface CreateEndpointInput {
  readonly apiKey: ApiKey;
  readonly idempotencyKey?: string | undefined;
  /** From `parseEndpointUrl`. */
  readonly url: string;
  /** Absent: all types. */
  readonly eventTypes?: readonly string[] | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export interface CreateEndpointDependencies {
  readonly endpoints: Pick<EndpointRepository, 'find'>;
  readonly endpointChanges: Pick<EndpointChanges, 'create'>;
  readonly idempotencySecret: () => Promise<Uint8Array>;
  readonly checkHost: CheckHost;
}

/**
 * - `created`: the only result with the secret.
 * - `replayed`: an earlier request with the same idempotency key created the endpoint.
 * - `reused`: an earlier request used the idempotency key with other values.
 * - `removed`: the endpoint of an earlier request with the idempotency key was removed.
 * - `tooMany`: the store has the most endpoints.
 * - `locked`: an operator disabled an endpoint with the same host.
 * - `rejectedHost`: `verdict` says why.
 */
export type CreateEndpointResult =
  | { readonly outcome: 'created'; readonly endpoint: WebhookEndpoint; readonly secret: string }
  | { readonly outcome: 'replayed'; readonly endpoint: WebhookEndpoint }
  | { readonly outcome: 'reused' | 'removed' | 'tooMany' | 'locked' }
  | { readonly outcome: 'rejectedHost'; readonly verdict: RejectedHost };

/** The endpoint id of an idempotency key, by which a retry finds its endpoint. */
const idempotentEndpointId = (
  secret: Uint8Array,
  { storeId, mode }: StoreMode,
  idempotencyKey: string,
): string => {
  const bytes = keyedHash(secret, ['webhook endpoint', storeId, mode, idempotencyKey]).values();
  return generateEndpointId((max) => (bytes.next().value ?? 0) % max);
};

/** The order of types has no meaning. */
const requestFingerprint = ({ url, eventTypes }: CreateEndpointInput): string =>
  fingerprintOf([url, eventTypes?.toSorted()]);

const replay = (earlier: WebhookEndpoint, input: CreateEndpointInput): CreateEndpointResult =>
  earlier.requestFingerprint === requestFingerprint(input)
    ? { outcome: 'replayed', endpoint: earlier }
    : { outcome: 'reused' };

/**
 * Creates an endpoint, once per idempotency key, also after its removal.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const createEndpoint = async (
  input: CreateEndpointInput,
  { endpoints, endpointChanges, idempotencySecret, checkHost }: CreateEndpointDependencies,
): Promise<CreateEndpointResult> => {
  const { apiKey, idempotencyKey, url, eventTypes, nowMs, signal } = input;
  const { storeId, mode } = apiKey;
  const isIdempotent = idempotencyKey !== undefined;
  const endpointId = isIdempotent
    ? idempotentEndpointId(await unlessAborted(idempotencySecret(), signal), apiKey, idempotencyKey)
    : generateEndpointId();
  const endpoint: WebhookEndpoint = {
    storeId,
    mode,
    endpointId,
    url,
    eventTypes,
    createdAtMs: nowMs,
    createdByKeyId: shownKeyId(apiKey),
    ...(isIdempotent && { requestFingerprint: requestFingerprint(input) }),
  };
  const findEarlier = (): ReturnType<EndpointRepository['find']> => endpoints.find(endpoint, signal);
  // Before the other checks: a retry gets its endpoint whatever has changed since.
  const earlier = isIdempotent ? await findEarlier() : undefined;
  if (earlier) return replay(earlier, input);
  const verdict = await checkHost(url, input);
  if (verdict.outcome !== 'allowed') return { outcome: 'rejectedHost', verdict };
  const creation = await endpointChanges.create(endpoint, signal);
  if (creation.outcome === 'created') return { ...creation, endpoint };
  if (creation.outcome !== 'taken') return { outcome: creation.outcome };
  // A request with the same key came first.
  const winner = await findEarlier();
  return winner ? replay(winner, input) : { outcome: 'removed' };
};
