import type { Item } from '../../database/documents.ts';
import { assertReadable } from '../../database/schema-version.ts';
import { isPastDeletion } from '../../database/time-to-live.ts';
import type { Attempt } from './attempt.ts';
import { DELIVERY_SCHEMA, type DeliveryRecord, type DeliveryStatus } from './delivery.ts';

type RecordItem = Omit<DeliveryRecord, 'status' | 'attempts'> & {
  readonly latest: DeliveryStatus;
  readonly succeededAtMs?: number;
  readonly attempts?: readonly Attempt[];
};

/**
 * The record of a stored item. `undefined` without an item, for one that is past its deletion time, and for one that only has the
 * mark of an erasure, which can come before the first attempt.
 *
 * @throws UnreadableItemError if the item has a later schema version
 */
export const existingRecord = (item: Item | undefined, nowMs: number): DeliveryRecord | undefined => {
  if (item?.['latest'] === undefined || isPastDeletion(Number(item['deleteAtSeconds']), nowMs))
    return undefined;
  assertReadable(DELIVERY_SCHEMA, item);
  const { endpointId, id, eventId, type, recordedAtMs, sequence, ...rest } = item as unknown as RecordItem;
  const { latest, succeededAtMs, attempts = [], nextAttemptAtMs, reason } = rest;
  const status = succeededAtMs === undefined ? latest : 'succeeded';
  return { endpointId, id, eventId, type, recordedAtMs, sequence, status, attempts, nextAttemptAtMs, reason };
};
