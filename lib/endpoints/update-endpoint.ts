import { type ApiKey, shownKeyId } from '../api-keys/api-key.ts';
import type { CheckHost, RejectedHost } from './address/host-check.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import type { EndpointPatch } from './endpoint-patch.ts';
import type { EndpointRepository } from './endpoint-repository.ts';
import {
  type Disabled,
  type EndpointRef,
  type EndpointWithState,
  isLocked,
  isLockedHost,
} from './endpoint.ts';

/** An admitted request to change an endpoint. `undefined` leaves a value. */
interface UpdateEndpointInput {
  readonly apiKey: ApiKey;
  readonly endpointId: string;
  /** From `parseEndpointUrl`. */
  readonly url?: string | undefined;
  /** `null`: all types. */
  readonly eventTypes?: readonly string[] | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

interface UpdateEndpointDependencies {
  readonly endpoints: Pick<EndpointRepository, 'find' | 'listOf'>;
  readonly endpointChanges: Pick<EndpointChanges, 'update'>;
  readonly checkHost: CheckHost;
}

/**
 * - `updated`: `isReopened` says whether its parked deliveries may be due, because it has a new address or is enabled.
 * - `unchanged`: the endpoint already has these values.
 * - `notFound`: there is no such endpoint, or no longer.
 * - `locked`: an operator disabled the endpoint, or one with the host of the new address.
 * - `rejectedHost`: `verdict` says why.
 */
export type UpdateEndpointResult =
  | { readonly outcome: 'updated'; readonly endpoint: EndpointWithState; readonly isReopened: boolean }
  | { readonly outcome: 'unchanged'; readonly endpoint: EndpointWithState }
  | { readonly outcome: 'notFound' | 'locked' }
  | { readonly outcome: 'rejectedHost'; readonly verdict: RejectedHost };

/** `enabled` as the change of an unlocked endpoint. An endpoint that is disabled keeps the reason and the time. */
const disabledOf = (
  { enabled, nowMs }: UpdateEndpointInput,
  { disabled, state }: EndpointWithState,
): Disabled | null | undefined => {
  if (enabled === undefined) return undefined;
  if (!enabled) return disabled ? undefined : { atMs: nowMs, reason: 'merchant' };
  // An endpoint that receives events stays as it is.
  return disabled || state.failures > 0 ? null : undefined;
};

/** Finds the endpoint. With a new address, the same query finds all locks. */
const findWithOthers = async (
  ref: EndpointRef,
  { url, signal }: UpdateEndpointInput,
  endpoints: UpdateEndpointDependencies['endpoints'],
) => {
  const all = url === undefined ? [] : await endpoints.listOf(ref, signal);
  const listed = all.find(({ endpointId }) => endpointId === ref.endpointId);
  return { endpoint: listed ?? (await endpoints.find(ref, signal)), all };
};

/**
 * Changes an endpoint for an API key.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const updateEndpoint = async (
  input: UpdateEndpointInput,
  { endpoints, endpointChanges, checkHost }: UpdateEndpointDependencies,
): Promise<UpdateEndpointResult> => {
  const { apiKey, endpointId, signal } = input;
  const ref = { storeId: apiKey.storeId, mode: apiKey.mode, endpointId };
  const { endpoint, all } = await findWithOthers(ref, input, endpoints);
  if (!endpoint) return { outcome: 'notFound' };
  // The same address leaves the breaker as it is.
  const url = input.url === endpoint.url ? undefined : input.url;
  if (url !== undefined) {
    const verdict = await checkHost(url, input);
    if (verdict.outcome !== 'allowed') return { outcome: 'rejectedHost', verdict };
    // `endpointChanges.update` checks the lock of the moved endpoint itself.
    if (isLockedHost(url, all)) return { outcome: 'locked' };
  }
  if (input.enabled && isLocked(endpoint)) return { outcome: 'locked' };
  const patch: EndpointPatch = { url, eventTypes: input.eventTypes, disabled: disabledOf(input, endpoint) };
  if (Object.values(patch).every((value) => value === undefined)) return { outcome: 'unchanged', endpoint };
  const outcome = await endpointChanges.update(endpoint, patch, { shownKeyId: shownKeyId(apiKey), signal });
  if (outcome !== 'changed') return { outcome };
  const current = await endpoints.find(ref, signal);
  if (!current) return { outcome: 'notFound' };
  return {
    outcome: 'updated',
    endpoint: current,
    isReopened: url !== undefined || patch.disabled === null,
  };
};
