import type * as z from 'zod/mini';
import type { Attempt, DeliveredEvent, DeliveryRecord } from './delivery.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { deliverySchema, endpointConfigSchema, endpointSchema } from './endpoint-view-schema.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** The part of an endpoint that changes only on purpose. It has no secret. */
export type EndpointConfigView = z.output<typeof endpointConfigSchema>;

/** An endpoint as merchants see it. */
export type EndpointView = z.output<typeof endpointSchema>;

/** One attempt of a delivery, as merchants see it. */
type AttemptView = DeliveryView['attempts'][number];

/** A delivery as merchants see it. */
export type DeliveryView = z.output<typeof deliverySchema>;

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

const isoIfAny = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : iso(timeMs);

export const viewConfig = (endpoint: WebhookEndpoint): Required<EndpointConfigView> => {
  const { endpointId: id, url, events: eventTypes, disabled, createdAtMs, createdByKeyId } = endpoint;
  return {
    id,
    url,
    eventTypes: eventTypes && [...eventTypes],
    enabled: disabled === undefined,
    disabledAt: isoIfAny(disabled?.atMs),
    disabledReason: disabled?.reason,
    createdAt: iso(createdAtMs),
    createdByKeyId,
  };
};

export const viewEndpoint = (endpoint: EndpointWithState): Required<EndpointView> => ({
  ...viewConfig(endpoint),
  failingSince: isoIfAny(endpoint.state.failingSinceMs),
  lastSuccessAt: isoIfAny(endpoint.state.lastSuccessAtMs),
});

const viewAttempt = ({ attempt, atMs, status, error, ms, response }: Attempt): Required<AttemptView> => ({
  attempt,
  at: iso(atMs),
  status,
  error,
  durationMs: ms,
  response,
});

/** The id of a delivery within its endpoint, as merchants see it. It fits into a path. */
export const publicDeliveryId = ({ eventId, recordedAtMs }: DeliveredEvent): string =>
  `${eventId}-${recordedAtMs}`;

/** Parses an id of {@link publicDeliveryId}. `undefined` for any other text. */
export const parsePublicDeliveryId = (text: string | undefined): DeliveredEvent | undefined => {
  const [, eventId, recordedAtMs] = /^(evt_[0-9a-f]{32})-(\d{13})$/.exec(text ?? '') ?? [];
  return eventId === undefined ? undefined : { eventId, recordedAtMs: Number(recordedAtMs) };
};

export const viewDelivery = (record: DeliveryRecord): Required<DeliveryView> => {
  const { eventId, type: eventType, recordedAtMs, status, nextAttemptAtMs, attempts } = record;
  return {
    id: publicDeliveryId(record),
    eventId,
    eventType,
    recordedAt: iso(recordedAtMs),
    status,
    nextAttemptAt: isoIfAny(nextAttemptAtMs),
    attempts: attempts.map(viewAttempt),
  };
};
