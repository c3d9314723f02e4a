import type { Attempt, AttemptError, DeliveryRecord, DeliveryStatus } from './delivery.ts';
import type { EndpointWithState } from './endpoint-items.ts';
import type { DisabledReason, WebhookEndpoint } from './endpoint.ts';

/** The part of an endpoint that changes only on purpose. It has no secret. */
export interface EndpointConfigView {
  readonly id: string;
  readonly url: string;
  /** Absent: all types. */
  readonly eventTypes?: readonly string[] | undefined;
  readonly enabled: boolean;
  readonly disabledAt?: string | undefined;
  readonly disabledReason?: DisabledReason | undefined;
  readonly createdAt: string;
  readonly createdByKeyId?: string | undefined;
}

/** An endpoint as merchants see it. */
export interface EndpointView extends EndpointConfigView {
  readonly failingSince?: string | undefined;
  readonly lastSuccessAt?: string | undefined;
}

/** One attempt of a delivery, as merchants see it. */
export interface AttemptView {
  readonly attempt: number;
  readonly at: string;
  readonly status?: number | undefined;
  readonly error?: AttemptError | undefined;
  readonly durationMs: number;
  readonly response?: string | undefined;
}

/** A delivery as merchants see it. */
export interface DeliveryView {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly recordedAt: string;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt?: string | undefined;
  readonly attempts: readonly AttemptView[];
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

const isoIfAny = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : iso(timeMs);

export const viewConfig = (endpoint: WebhookEndpoint): EndpointConfigView => {
  const { endpointId: id, url, events: eventTypes, disabled, createdAtMs, createdByKeyId } = endpoint;
  return {
    id,
    url,
    eventTypes,
    enabled: disabled === undefined,
    disabledAt: isoIfAny(disabled?.atMs),
    disabledReason: disabled?.reason,
    createdAt: iso(createdAtMs),
    createdByKeyId,
  };
};

export const viewEndpoint = (endpoint: EndpointWithState): EndpointView => ({
  ...viewConfig(endpoint),
  failingSince: isoIfAny(endpoint.state.failingSinceMs),
  lastSuccessAt: isoIfAny(endpoint.state.lastSuccessAtMs),
});

const viewAttempt = ({ attempt, atMs, status, error, ms, response }: Attempt): AttemptView => ({
  attempt,
  at: iso(atMs),
  status,
  error,
  durationMs: ms,
  response,
});

/** The id of a delivery within its endpoint, as merchants see it. It fits into a path. */
export const publicDeliveryId = ({
  eventId,
  recordedAtMs,
}: Pick<DeliveryRecord, 'eventId' | 'recordedAtMs'>): string => `${eventId}-${recordedAtMs}`;

/** Parses an id of {@link publicDeliveryId}. `undefined` for any other text. */
export const parsePublicDeliveryId = (
  text: string | undefined,
): Pick<DeliveryRecord, 'eventId' | 'recordedAtMs'> | undefined => {
  const [, eventId, recordedAtMs] = /^(evt_[0-9a-f]{32})-(\d{13})$/.exec(text ?? '') ?? [];
  return eventId === undefined ? undefined : { eventId, recordedAtMs: Number(recordedAtMs) };
};

export const viewDelivery = (record: DeliveryRecord): DeliveryView => {
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
