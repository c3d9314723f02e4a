import { isoTime } from '../core/rfc3339.ts';
import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, type EventType } from '../carts/cart-event.ts';
import type { LoggedType } from '../events/event-family.ts';
import { type EventBody, eventIdFrom, type NewEvent } from '../events/logged-event.ts';
import { type EndpointConfigView, viewConfig } from './endpoint-view.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** The types of events about webhook endpoints. A merchant sees by them an endpoint that somebody else created. */
export const ENDPOINT_EVENT_TYPES = [
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
  'webhook_endpoint.secret_rotated',
] as const satisfies readonly LoggedType[];

export type EndpointEventType = (typeof ENDPOINT_EVENT_TYPES)[number];

/** Every type of event in a log. An endpoint may select some of them. */
export const LOGGED_TYPES: readonly (EventType | EndpointEventType)[] = [
  ...EVENT_TYPES,
  ...ENDPOINT_EVENT_TYPES,
];

/** The endpoint after the change, or before its deletion. It has no secret. */
interface EndpointEventData extends EndpointConfigView {
  /** The beginning of the id of the API key that made the change. Absent if no key did. */
  readonly changedByKeyId?: string | undefined;
}

/** An event about a webhook endpoint, as merchants receive it. */
export interface EndpointEvent extends EventBody {
  readonly type: EndpointEventType;
  readonly data: EndpointEventData;
}

/** The log stream of the changes that merchants make, in the audit log of the stage. Operators' commands have another. */
export const MERCHANT_AUDIT_STREAM = 'merchants';

/** The event of a change of an endpoint. */
export const endpointEvent = (
  type: EndpointEventType,
  endpoint: WebhookEndpoint,
  changedByKeyId?: string,
): NewEvent => {
  const { storeId, mode, endpointId } = endpoint;
  const id = eventIdFrom([endpointId, type, randomUUID()].join('\t'));
  return {
    storeId,
    mode,
    id,
    type,
    bodyAt: (recordedAtMs) =>
      ({
        id,
        type,
        timestamp: isoTime(recordedAtMs),
        data: { ...viewConfig(endpoint), changedByKeyId },
      }) satisfies EndpointEvent,
  };
};
