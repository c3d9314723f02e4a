import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { ThrottledError } from '../aws/errors.ts';
import { inParts } from '../core/in-parts.ts';
import { retryRemaining } from '../core/retry-remaining.ts';
import type { RetryOptions } from '../core/retry.ts';
import { callOptions, type DocumentClient } from './documents.ts';
import { leftIfThrottled } from './left-if-throttled.ts';

/** An item, or its key, as DynamoDB stores it. A copy of an item loses nothing, whatever release wrote it. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** BatchGetItem's limit. */
export const BATCH_KEYS_MAX = 100;

/** By default, the pauses together take at most 1.6 s. */
const RETRIES = { attemptsMax: 8, firstMs: 20, maxMs: 500 };

const readPart = async (
  documents: DocumentClient,
  tableName: string,
  keys: readonly RawItem[],
  options: Partial<RetryOptions>,
): Promise<readonly RawItem[]> => {
  const found: RawItem[] = [];
  const read = async (Keys: readonly RawItem[]): Promise<readonly RawItem[]> => {
    const command = new BatchGetItemCommand({
      RequestItems: { [tableName]: { Keys: [...Keys], ConsistentRead: true } },
    });
    const { Responses, UnprocessedKeys } = await documents.send(command, callOptions(options.signal));
    found.push(...(Responses?.[tableName] ?? []));
    // A response without results is no proof that the items do not exist.
    return UnprocessedKeys?.[tableName]?.Keys ?? (Responses ? [] : Keys);
  };
  const left = await retryRemaining(keys, leftIfThrottled(read), { ...RETRIES, ...options });
  if (left.length > 0) throw new ThrottledError();
  return found;
};

/**
 * Reads items by their keys, by strongly consistent reads, in no order. Items that do not exist are missing in the result.
 *
 * @param keys any number of different keys
 * @throws any error of the SDK when DynamoDB is slow or down, or ThrottledError when it throttles every attempt
 */
export const batchGet = async (
  documents: DocumentClient,
  tableName: string,
  keys: readonly RawItem[],
  options: Partial<RetryOptions> = {},
): Promise<readonly RawItem[]> => {
  const reads = inParts(keys, BATCH_KEYS_MAX).map((part) => readPart(documents, tableName, part, options));
  return (await Promise.all(reads)).flat();
};
