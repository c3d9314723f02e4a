import { isoTime } from '../../../lib/core/timestamps.ts';
import type { DeliveryRecord } from '../../../lib/deliveries/records/delivery.ts';
import { withIsoTimes } from '../frame/output.ts';

/** A delivery in the JSON. */
export const deliveryJson = (record: DeliveryRecord) => ({
  ...record,
  attempts: record.attempts.map(withIsoTimes),
});

/** The end of a line about a delivery: its status, why nothing was sent, and its next attempt. */
export const statusText = ({
  status,
  reason,
  nextAttemptAtMs,
}: Pick<DeliveryRecord, 'status' | 'reason' | 'nextAttemptAtMs'>): string => {
  const text = status === 'waiting' ? 'waiting for the endpoint' : status;
  const why = reason === undefined ? '' : ` (${reason})`;
  const next = nextAttemptAtMs === undefined ? '' : `, next attempt ${isoTime(nextAttemptAtMs)}`;
  return `${text}${why}${next}`;
};
