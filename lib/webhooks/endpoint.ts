import type { EventType, LogId } from '../events/store-event.ts';

/** Identifies a webhook endpoint: its store and mode, and its own id, `we_` and 24 base62 characters. */
export interface EndpointRef extends LogId {
  readonly endpointId: string;
}

/** Why the service sends nothing to an endpoint. `gone`: it returned 410. `failing`: nothing but failures for five days. */
export type DisabledReason = 'operator' | 'gone' | 'failing';

/** An address of a merchant that receives the events of one store in one mode. */
export interface WebhookEndpoint extends EndpointRef {
  readonly url: string;
  /** The types to send. Absent: all of them. */
  readonly events?: readonly EventType[] | undefined;
  readonly label?: string | undefined;
  readonly createdAtMs: number;
  readonly disabled?: { readonly atMs: number; readonly reason: DisabledReason } | undefined;
}

/** The most endpoints of one store in one mode. */
export const ENDPOINTS_MAX = 5;
