import type { Item } from '../database/documents.ts';
import { assertReadable, type ItemSchema, schemaVersionOf } from '../database/schema-version.ts';
import { logKey, parseLogKey } from '../events/logged-event.ts';
import type { EndpointRef, EndpointState, EndpointWithState, WebhookEndpoint } from './endpoint.ts';

const ENDPOINT_SCHEMA: ItemSchema = { kind: 'endpoint', version: 1 };

/** The attributes of an item of the table `webhookEndpoints`. */
interface EndpointItem
  extends
    Omit<EndpointWithState, keyof EndpointRef | 'eventTypes' | 'state'>,
    Omit<EndpointState, 'failures'> {
  readonly log: string;
  readonly id: string;
  readonly events?: readonly string[];
  readonly failures?: number;
}

/** The key of an endpoint's item. */
export const endpointKey = (endpoint: EndpointRef): { readonly log: string; readonly id: string } => ({
  log: logKey(endpoint),
  id: endpoint.endpointId,
});

/**
 * The condition that an endpoint exists. The item of one that was removed stays for up to an hour: see `removed-endpoints.ts`.
 */
export const EXISTS = 'attribute_exists(id) AND attribute_not_exists(removedAtMs)';

/** Whether an item is that of an endpoint which was removed. */
export const isRemoved = ({ removedAtMs }: Item): boolean => removedAtMs !== undefined;

/** The attributes that store values of an endpoint. The types to send have another name in the table. */
export const toAttributes = <Values extends { readonly eventTypes?: unknown }>({
  eventTypes: events,
  ...others
}: Values) => ({ ...others, events });

/** The item of a new endpoint. */
export const toEndpointItem = (endpoint: WebhookEndpoint) => {
  const { storeId: _, mode: __, endpointId: ___, ...values } = endpoint;
  return { ...endpointKey(endpoint), ...toAttributes(values), ...schemaVersionOf(ENDPOINT_SCHEMA) };
};

/**
 * The endpoint of a stored item.
 *
 * @throws Error if the item has a later schema version
 */
const fromEndpointItem = (item: Item): EndpointWithState => {
  assertReadable(ENDPOINT_SCHEMA, item);
  const { log, id, url, events, label, createdAtMs, createdByKeyId, ...others } =
    item as unknown as EndpointItem;
  const { requestFingerprint, disabled, secretVersion, addressVersion, ...state } = others;
  const { failures = 0, failingSinceMs, probeAtMs, lastSuccessAtMs, isQuick, parks, drainedParks } = state;
  const { lease0UntilMs, lease1UntilMs } = state;
  return {
    ...parseLogKey(log),
    endpointId: id,
    url,
    eventTypes: events,
    label,
    createdAtMs,
    createdByKeyId,
    requestFingerprint,
    disabled,
    secretVersion,
    addressVersion,
    state: {
      failures,
      failingSinceMs,
      probeAtMs,
      lastSuccessAtMs,
      isQuick,
      lease0UntilMs,
      lease1UntilMs,
      parks,
      drainedParks,
    },
  };
};

/**
 * The endpoint of an item that a call has returned. `undefined` without an item, and for an endpoint that was removed.
 *
 * @throws Error if the item has a later schema version
 */
export const existingEndpoint = (item: Item | undefined): EndpointWithState | undefined =>
  item && !isRemoved(item) ? fromEndpointItem(item) : undefined;
