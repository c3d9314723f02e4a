import type { Item } from '../../database/documents.ts';
import { assertReadable } from '../../database/readable-item.ts';
import { isPastDeletion } from '../../database/time-to-live.ts';
import type { Attempt } from './attempt.ts';
import { DELIVERY_SCHEMA, type DeliveryRecord, type DeliveryStatus } from './delivery.ts';

type RecordItem = Omit<DeliveryRecord, 'status' | 'attempts'> & {
  readonly latest: DeliveryStatus;
  readonly succeededAtMs?: number;
  readonly attempts?: readonly Attempt[];
};

/** The type of each attribute that the item of every record has. */
const FIELDS = Object.entries({
  endpointId: 'string',
  id: 'string',
  eventId: 'string',
  type: 'string',
  recordedAtMs: 'number',
  latest: 'string',
} satisfies Partial<Record<keyof RecordItem, string>>);

/**
 * The record of a stored item. `undefined` without an item, for one that is past its deletion time, and for one that only has the
 * mark of an erasure, which can come before the first attempt.
 *
 * @throws UnreadableItemError if the item has a later schema version, or if a field is missing or has another type
 */
export const existingRecord = (item: Item | undefined, nowMs: number): DeliveryRecord | undefined => {
  if (item?.['latest'] === undefined || isPastDeletion(Number(item['deleteAtSeconds']), nowMs))
    return undefined;
  assertReadable(DELIVERY_SCHEMA, item, FIELDS);
  const { endpointId, id, eventId, type, recordedAtMs, sequence, ...rest } = item as unknown as RecordItem;
  const { latest, succeededAtMs, attempts = [], nextAttemptAtMs, reason } = rest;
  const status = succeededAtMs === undefined ? latest : 'succeeded';
  return { endpointId, id, eventId, type, recordedAtMs, sequence, status, attempts, nextAttemptAtMs, reason };
};
