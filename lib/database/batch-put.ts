import { BatchWriteCommand, type BatchWriteCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from './documents.ts';
import { leftIfThrottled } from './left-if-throttled.ts';

/** The most items of a call: BatchWriteItem's limit. */
export const PUTS_PER_BATCH_MAX = 25;

/**
 * Creates the call that stores items once, at most {@link PUTS_PER_BATCH_MAX} with different keys. It returns the items that
 * DynamoDB left unprocessed: all, if it throttles the call or its response has no results.
 */
export const createBatchPut = <Item extends object>(documents: DocumentClient, tableName: string) =>
  leftIfThrottled(async (batch: readonly Item[]): Promise<readonly Item[]> => {
    const RequestItems = { [tableName]: batch.map((item) => ({ PutRequest: { Item: item } })) };
    const command = new BatchWriteCommand({ RequestItems });
    const { UnprocessedItems }: BatchWriteCommandOutput = await documents.send(command);
    if (!UnprocessedItems) return batch;
    return (UnprocessedItems[tableName] ?? []).map(({ PutRequest }) => PutRequest?.Item as Item);
  });
