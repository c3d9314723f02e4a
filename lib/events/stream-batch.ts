import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { describeFailure } from '../core/failure.ts';
import { logger } from '../core/telemetry.ts';
import { type SetAside, setRecordAside } from './set-aside.ts';

/** The result of a batch: how many records, from the first, need no retry, and why the one after them does. */
export interface BatchResult {
  readonly handled: number;
  readonly outage?: unknown;
}

export interface StreamBatchDependencies {
  readonly setAside: SetAside;
  readonly now: Clock;
}

/** A stream keeps a record for 24 hours. After this time, the record is set aside rather than lost. */
const RETRIED_MS = 20 * 3_600_000;

const isExpiring = (record: DynamoDBRecord, nowMs: number): boolean => {
  // In seconds.
  const createdAt = record.dynamodb?.ApproximateCreationDateTime;
  return createdAt !== undefined && nowMs - createdAt * 1_000 > RETRIED_MS;
};

/**
 * The response for a batch of records of a table's stream. After an outage, Lambda retries the first record that is not
 * handled and all behind it. Records that would soon leave the stream are set aside instead.
 *
 * @throws if neither is possible. Lambda then retries the whole batch
 */
export const respondTo = async (
  records: readonly DynamoDBRecord[],
  { handled, outage }: BatchResult,
  { setAside, now }: StreamBatchDependencies,
): Promise<DynamoDBBatchResponse> => {
  if (outage === undefined) return { batchItemFailures: [] };
  for (const record of records.slice(handled)) {
    if (!isExpiring(record, now())) {
      logger.warn('fan-out', { outcome: 'retry', cause: describeFailure(outage) });
      const itemIdentifier = record.dynamodb?.SequenceNumber;
      if (itemIdentifier === undefined)
        throw new Error('The record has no sequence number', { cause: outage });
      return { batchItemFailures: [{ itemIdentifier }] };
    }
    // oxlint-disable-next-line no-await-in-loop -- if one is not stored, Lambda retries all behind it
    await setRecordAside(setAside, 'expiring', record, outage);
  }
  return { batchItemFailures: [] };
};
