import type * as z from 'zod/mini';
import { isoIfAny, isoTime } from '../../core/timestamps.ts';
import type { Attempt } from './attempt.ts';
import type { deliverySchema } from './delivery-view-schema.ts';
import type { DeliveredEvent, DeliveryRecord } from './delivery.ts';

/** One attempt of a delivery, as merchants see it. */
type AttemptView = DeliveryView['attempts'][number];

/** A delivery as merchants see it. */
export type DeliveryView = z.output<typeof deliverySchema>;

const viewAttempt = ({ attempt, atMs, status, error, ms, response }: Attempt): Required<AttemptView> => ({
  attempt,
  at: isoTime(atMs),
  status,
  error,
  durationMs: ms,
  response,
});

/** The id of a delivery within its endpoint, as merchants see it. It fits into a path. */
export const publicDeliveryId = ({ eventId, recordedAtMs }: DeliveredEvent): string =>
  `${eventId}-${recordedAtMs}`;

/** The form of every id of {@link publicDeliveryId}. */
export const DELIVERY_ID_PATTERN = /^(evt_[0-9a-f]{32})-(\d{13})$/;

/** The length of every id of {@link publicDeliveryId}. */
export const DELIVERY_ID_CHARACTERS = 50;

/** Parses an id of {@link publicDeliveryId}. `undefined` for any other text. */
export const parsePublicDeliveryId = (text: string | undefined): DeliveredEvent | undefined => {
  const [, eventId, recordedAtMs] = DELIVERY_ID_PATTERN.exec(text ?? '') ?? [];
  return eventId === undefined ? undefined : { eventId, recordedAtMs: Number(recordedAtMs) };
};

export const viewDelivery = (record: DeliveryRecord): Required<DeliveryView> => {
  const { eventId, type: eventType, recordedAtMs, status, nextAttemptAtMs, attempts } = record;
  return {
    id: publicDeliveryId(record),
    eventId,
    eventType,
    recordedAt: isoTime(recordedAtMs),
    status,
    nextAttemptAt: isoIfAny(nextAttemptAtMs),
    attempts: attempts.map(viewAttempt),
  };
};
