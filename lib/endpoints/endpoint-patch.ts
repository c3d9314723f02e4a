import { type Condition, updateOf } from '../database/expressions.ts';
import { REMOVED_TO_HALF_OPEN } from './breaker.ts';
import { toAttributes } from './endpoint-item.ts';
import type { Disabled, WebhookEndpoint } from './endpoint.ts';

/** Changes of an endpoint. `undefined` leaves an attribute, `null` removes it. */
export interface EndpointPatch {
  /** After a new address, an open breaker lets one probe through at once. */
  readonly url?: string | undefined;
  /** `null` enables the endpoint. An open breaker then lets one probe through at once. */
  readonly disabled?: Disabled | null | undefined;
  readonly eventTypes?: readonly string[] | null | undefined;
}

/** The update of an endpoint by a patch, which has at least one change. */
export const patchUpdate = (patch: EndpointPatch, condition?: Condition) => {
  const entries = Object.entries(toAttributes(patch)) as readonly (readonly [string, unknown])[];
  const hasNewAddress = patch.url !== undefined;
  const isEnabled = patch.disabled === null;
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null));
  // The slots stay: an attempt to the old address still counts among the two in flight.
  const remove = [
    ...entries.filter(([, value]) => value === null).map(([name]) => name),
    ...(isEnabled || hasNewAddress ? REMOVED_TO_HALF_OPEN : []),
    ...(hasNewAddress ? ['isQuick'] : []),
  ];
  return updateOf({ set, remove, add: hasNewAddress ? { addressVersion: 1 } : {} }, condition);
};

/** The endpoint after a patch. */
export const patchedEndpoint = (endpoint: WebhookEndpoint, patch: EndpointPatch): WebhookEndpoint => {
  const { url = endpoint.url, disabled = endpoint.disabled, eventTypes = endpoint.eventTypes } = patch;
  return { ...endpoint, url, disabled: disabled ?? undefined, eventTypes: eventTypes ?? undefined };
};
