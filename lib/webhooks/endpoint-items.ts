import { type EndpointRef, type EndpointState, type WebhookEndpoint } from './endpoint.ts';
import { assertReadable, schemaVersionOf } from '../core/schema-version.ts';
import { logKey, parseLogKey } from '../events/logged-event.ts';

/** An endpoint with the results of its attempts. */
export interface EndpointWithState extends WebhookEndpoint {
  readonly state: EndpointState;
  /** Random, and new after each rotation of the secret. Absent before the first one. */
  readonly secretVersion?: string | undefined;
}

/** The attributes of an item of the table `webhookEndpoints`. `lib/webhooks/leases.ts` has others. */
interface EndpointItem extends Omit<EndpointWithState, keyof EndpointRef | 'state'>, Partial<EndpointState> {
  readonly log: string;
  readonly id: string;
}

/** The key of an endpoint's item. */
export const endpointKey = (endpoint: EndpointRef): { readonly log: string; readonly id: string } => ({
  log: logKey(endpoint),
  id: endpoint.endpointId,
});

/** The item of a new endpoint. */
export const toEndpointItem = (endpoint: WebhookEndpoint) => {
  const { storeId: _, mode: __, endpointId: ___, ...attributes } = endpoint;
  return { ...endpointKey(endpoint), ...attributes, ...schemaVersionOf('endpoint') };
};

/**
 * The endpoint of a stored item.
 *
 * @throws Error if the item has a later schema version
 */
export const fromEndpointItem = (item: Readonly<Record<string, unknown>>): EndpointWithState => {
  assertReadable('endpoint', item);
  const { log, id, url, events, label, createdAtMs, createdByKeyId, ...others } =
    item as unknown as EndpointItem;
  const { requestFingerprint, disabled, secretVersion, ...state } = others;
  const { failures = 0, failingSinceMs, probeAtMs, lastSuccessAtMs, parkedAtMs } = state;
  return {
    ...parseLogKey(log),
    endpointId: id,
    url,
    events,
    label,
    createdAtMs,
    createdByKeyId,
    requestFingerprint,
    disabled,
    secretVersion,
    state: { failures, failingSinceMs, probeAtMs, lastSuccessAtMs, parkedAtMs },
  };
};
