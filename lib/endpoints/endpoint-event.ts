import { randomUUID } from 'node:crypto';
import { isoTime } from '../core/timestamps.ts';
import type { EndpointEventType } from '../events/event-types.ts';
import { type EventBody, eventIdFrom, type NewEvent } from '../events/logged-event.ts';
import { type EndpointConfigView, viewConfig } from './endpoint-view.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** The endpoint after the change, or before its removal. It has no secret. */
interface EndpointEventData extends EndpointConfigView {
  /** The beginning of the id of the API key that made the change. Absent if no key did. */
  readonly changedByKeyId?: string | undefined;
}

/** An event about a webhook endpoint, as merchants receive it. */
export interface EndpointEvent extends EventBody {
  readonly type: EndpointEventType;
  readonly data: EndpointEventData;
}

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
