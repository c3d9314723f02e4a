import { randomBase62 } from '../core/base62.ts';
import type { StoreMode } from '../stores/mode.ts';
import { canonicalHostOf } from './address/host.ts';

/** Identifies a webhook endpoint: its store and mode, and its own id, `we_` and 24 base62 characters. */
export interface EndpointRef extends StoreMode {
  readonly endpointId: string;
}

/**
 * Why the service sends nothing to an endpoint. `operator` or `merchant` disabled it. `gone`: it returned 410. `failing`:
 * nothing but failures for five days.
 */
export type DisabledReason = 'operator' | 'merchant' | 'gone' | 'failing';

/** The reason of an endpoint that an operator disabled. */
export const LOCKED: DisabledReason = 'operator';

export interface Disabled {
  readonly atMs: number;
  readonly reason: DisabledReason;
  /** The service disabled the endpoint, and the log does not have the event yet. */
  readonly isUnreported?: true | undefined;
}

/** Whether only an operator may enable, move or remove an endpoint. */
export const isLocked = ({ disabled }: Pick<WebhookEndpoint, 'disabled'>): boolean =>
  disabled?.reason === LOCKED;

/** An address of a merchant that receives the events of one store in one mode. */
export interface WebhookEndpoint extends EndpointRef {
  readonly url: string;
  /** The types to send. Absent: all of them. */
  readonly eventTypes?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly createdAtMs: number;
  /** The beginning of the id of the API key that created it, as in log lines. Absent if an operator did. */
  readonly createdByKeyId?: string | undefined;
  /** The fingerprint of the request that created it. Absent without an idempotency key. */
  readonly requestFingerprint?: string | undefined;
  readonly disabled?: Disabled | undefined;
}

/** Whether an operator disabled an endpoint with the host of an address. */
export const isLockedHost = (
  url: string,
  endpoints: readonly Partial<Pick<WebhookEndpoint, 'url' | 'disabled'>>[],
): boolean =>
  endpoints.some((each) => isLocked(each) && canonicalHostOf(String(each.url)) === canonicalHostOf(url));

/** The results of an endpoint's attempts so far, its leases, and its parked deliveries. */
export interface EndpointState {
  /** The failed attempts since the last success. */
  readonly failures: number;
  /** The first of these failures. */
  readonly failingSinceMs?: number | undefined;
  /** While the breaker is open: no probe before this time. A closed breaker ignores it, although each failure sets it. */
  readonly probeAtMs?: number | undefined;
  readonly lastSuccessAtMs?: number | undefined;
  /** Whether the last attempt succeeded in less than two seconds. Otherwise, slot 1 is not granted. */
  readonly isQuick?: boolean | undefined;
  /** Slot 0 is held until then, unless it is released earlier. */
  readonly lease0UntilMs?: number | undefined;
  /** The same for slot 1. */
  readonly lease1UntilMs?: number | undefined;
  /** How often deliveries were parked. */
  readonly parks?: number | undefined;
  /** The value of `parks` for which a drain has found no parked delivery. */
  readonly drainedParks?: number | undefined;
}

/** Whether deliveries may be parked: true from the first parking until a drain finds none. */
export const hasParked = ({ parks, drainedParks }: EndpointState): boolean => parks !== drainedParks;

/** An endpoint with its state, and the versions of its secret and address. */
export interface EndpointWithState extends WebhookEndpoint {
  readonly state: EndpointState;
  /** Random, and new after each rotation of the secret. Absent before the first one. */
  readonly secretVersion?: string | undefined;
  /** How often the address has changed. Absent before the first time. */
  readonly addressVersion?: number | undefined;
}

/** The most endpoints of one store in one mode. */
export const ENDPOINTS_MAX = 10;

/**
 * Generates an id: `we_` and 24 base62 characters.
 *
 * @param randomBelow as of {@link randomBase62}
 */
export const generateEndpointId = (randomBelow?: (max: number) => number): string =>
  `we_${randomBase62(24, randomBelow)}`;

/** The id of an endpoint from a request. `undefined` for a text that no endpoint can have: DynamoDB rejects a long key. */
export const parseEndpointId = (text: string): string | undefined =>
  text.match(/^we_[0-9A-Za-z]{1,64}$/)?.[0];
