import type { Item } from '../database/documents.ts';
import { assertReadable, type ItemSchema, schemaVersionOf } from '../database/readable-item.ts';
import { logKey, parseLogKey } from '../events/logged-event.ts';
import type { Timer } from '../timers/timer.ts';
import type { EndpointRef, EndpointState, EndpointWithState, WebhookEndpoint } from './endpoint.ts';

const ENDPOINT_SCHEMA: ItemSchema = { kind: 'endpoint', version: 1 };

/** The attributes of an item of the table `webhookEndpoints`. */
export interface EndpointItem
  extends
    Omit<EndpointWithState, keyof EndpointRef | 'eventTypes' | 'state'>,
    Omit<EndpointState, 'failures'>,
    Partial<Timer> {
  readonly log: string;
  readonly id: string;
  readonly events?: readonly string[];
  readonly failures?: number;
  readonly lease0Owner?: string;
  readonly lease1Owner?: string;
  /** When a test event was last sent on request. */
  readonly testedAtMs?: number;
  /** When a delivery was last sent again on request. */
  readonly resentAtMs?: number;
  /** Only an endpoint that was removed has it. */
  readonly removedAtMs?: number;
  readonly deleteAtSeconds?: number;
  readonly schemaVersion?: number;
}

/**
 * The group of each attribute:
 *
 * - `identity`: the key, and the creation. Every item has it, also that of a removed endpoint
 * - `configuration`: settings, their versions, and the times of requests. All that no other group has
 * - `result`: the results of attempts
 * - `lease`: the slots of attempts in flight
 * - `parking`: the parked deliveries, and the timer for them
 * - `removal`: what only a removed endpoint has
 *
 * A removal deletes `configuration`, `result` and `parking`. Besides the key, updates of `deliver-webhooks` may name `lease`,
 * `result`, `parking` and three more (`LEASE_ATTRIBUTES`), those of `run-timers` only `parking`. IAM rejects others. An update
 * removes only what it names.
 */
const GROUPS = {
  log: 'identity',
  id: 'identity',
  createdAtMs: 'identity',
  url: 'configuration',
  events: 'configuration',
  label: 'configuration',
  createdByKeyId: 'configuration',
  requestFingerprint: 'configuration',
  disabled: 'configuration',
  secretVersion: 'configuration',
  addressVersion: 'configuration',
  testedAtMs: 'configuration',
  resentAtMs: 'configuration',
  schemaVersion: 'configuration',
  failures: 'result',
  failingSinceMs: 'result',
  probeAtMs: 'result',
  lastSuccessAtMs: 'result',
  isQuick: 'result',
  lease0UntilMs: 'lease',
  lease0Owner: 'lease',
  lease1UntilMs: 'lease',
  lease1Owner: 'lease',
  parks: 'parking',
  drainedParks: 'parking',
  timer: 'parking',
  timerAtMs: 'parking',
  removedAtMs: 'removal',
  deleteAtSeconds: 'removal',
} as const satisfies Readonly<Record<keyof EndpointItem, string>>;

type AttributeGroup = (typeof GROUPS)[keyof EndpointItem];

/** The attributes of some groups. */
export const attributesIn = (...groups: readonly AttributeGroup[]): readonly string[] =>
  Object.entries(GROUPS).flatMap(([name, group]) => (groups.includes(group) ? name : []));

/** The type of each attribute that the item of every endpoint has. */
const FIELDS = Object.entries({
  log: 'string',
  id: 'string',
  url: 'string',
  createdAtMs: 'number',
} satisfies Partial<Record<keyof EndpointItem, string>>);

/** The key of an endpoint's item. */
export const endpointKey = (endpoint: EndpointRef): { readonly log: string; readonly id: string } => ({
  log: logKey(endpoint),
  id: endpoint.endpointId,
});

/**
 * The condition that an endpoint exists. The item of one that was removed stays for up to an hour: see `removed-endpoints.ts`.
 */
export const EXISTS = 'attribute_exists(id) AND attribute_not_exists(removedAtMs)';

/** Whether an item is that of an endpoint which was removed. To merchants, it is deleted. */
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

/** The state of an endpoint, in its item. */
const stateOf = (stored: EndpointItem): Required<EndpointState> => ({
  failures: stored.failures ?? 0,
  failingSinceMs: stored.failingSinceMs,
  probeAtMs: stored.probeAtMs,
  lastSuccessAtMs: stored.lastSuccessAtMs,
  isQuick: stored.isQuick,
  lease0UntilMs: stored.lease0UntilMs,
  lease1UntilMs: stored.lease1UntilMs,
  parks: stored.parks,
  drainedParks: stored.drainedParks,
});

/**
 * The endpoint of a stored item.
 *
 * @throws UnreadableItemError if the item has a later schema version, or if a field is missing or has another type
 */
const fromEndpointItem = (item: Item): Required<EndpointWithState> => {
  assertReadable(ENDPOINT_SCHEMA, item, FIELDS);
  const stored = item as unknown as EndpointItem;
  return {
    ...parseLogKey(stored.log),
    endpointId: stored.id,
    url: stored.url,
    eventTypes: stored.events,
    label: stored.label,
    createdAtMs: stored.createdAtMs,
    createdByKeyId: stored.createdByKeyId,
    requestFingerprint: stored.requestFingerprint,
    disabled: stored.disabled,
    secretVersion: stored.secretVersion,
    addressVersion: stored.addressVersion,
    state: stateOf(stored),
  };
};

/**
 * The endpoint of an item that a call has returned. `undefined` without an item, and for an endpoint that was removed.
 *
 * @throws UnreadableItemError if the item has a later schema version, or if a field is missing or has another type
 */
export const existingEndpoint = (item: Item | undefined): EndpointWithState | undefined =>
  item && !isRemoved(item) ? fromEndpointItem(item) : undefined;
