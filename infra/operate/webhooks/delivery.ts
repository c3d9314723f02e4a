import type { Attempt, DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import { isoTime, withIsoTimes } from '../output.ts';

/** A delivery in the JSON. */
export const deliveryJson = (record: DeliveryRecord) => ({
  ...record,
  attempts: record.attempts.map(withIsoTimes),
});

/** The line of an attempt, with the beginning of the response in one line. */
const attemptLine = ({ atMs, attempt, status, error, ms, response = '' }: Attempt): string => {
  const text = response.replaceAll(/\s+/g, ' ');
  return `  ${isoTime(atMs)}  attempt ${attempt}  ${status ?? error ?? ''}  ${ms} ms  ${text}`.trimEnd();
};

/** The end of a line about a delivery: its status, why nothing was sent, and its next attempt. */
export const statusText = ({
  status,
  reason,
  nextAttemptAtMs,
}: Pick<DeliveryRecord, 'status' | 'reason' | 'nextAttemptAtMs'>): string => {
  const text = status === 'waiting' ? 'waiting until the endpoint recovers' : status;
  const why = reason === undefined ? '' : ` (${reason})`;
  const next = nextAttemptAtMs === undefined ? '' : `, next attempt ${isoTime(nextAttemptAtMs)}`;
  return `${text}${why}${next}`;
};

/** The lines of a delivery and its attempts. */
export const deliveryLines = (record: DeliveryRecord): string[] => {
  const { recordedAtMs, type, eventId, attempts } = record;
  const line = `${isoTime(recordedAtMs)}  ${type}  ${eventId}  ${statusText(record)}`;
  return [line, ...attempts.map(attemptLine)];
};
