import type { Attempt, DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import { printable } from '../../command-line.ts';
import { isoTime, optionalIsoTime } from '../output.ts';

/** A delivery in the JSON. */
export const deliveryJson = (record: DeliveryRecord) => ({
  eventId: record.eventId,
  type: record.type,
  recordedAt: isoTime(record.recordedAtMs),
  status: record.status,
  reason: record.reason,
  nextAttemptAt: optionalIsoTime(record.nextAttemptAtMs),
  attempts: record.attempts.map(({ atMs, attempt, status, error, ms, response }) => ({
    at: isoTime(atMs),
    attempt,
    status,
    error,
    ms,
    response,
  })),
});

/** The line of an attempt, with the beginning of the response in one line. */
const attemptLine = ({ atMs, attempt, status, error, ms, response = '' }: Attempt): string =>
  printable(
    `  ${isoTime(atMs)}  attempt ${attempt}  ${status ?? error ?? ''}  ${ms} ms  ${response.replaceAll(/\s+/g, ' ')}`,
  ).trimEnd();

/** The lines of a delivery and its attempts. */
export const deliveryLines = (record: DeliveryRecord): string[] => {
  const { recordedAtMs, type, eventId, status, reason, nextAttemptAtMs, attempts } = record;
  const why = reason === undefined ? '' : ` (${reason})`;
  const next = nextAttemptAtMs === undefined ? '' : `, next attempt ${isoTime(nextAttemptAtMs)}`;
  return [
    printable(`${isoTime(recordedAtMs)}  ${type}  ${eventId}  ${status}${why}${next}`),
    ...attempts.map(attemptLine),
  ];
};
