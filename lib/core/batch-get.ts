import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { type BackOff, createBackOff } from './back-off.ts';
import { callOptions, type Documents, TableThrottledError } from '../dynamodb.ts';
import { inParts } from './in-parts.ts';

/** An item, or its key, as DynamoDB stores it. A copy of an item loses nothing, whatever release wrote it. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

export interface BatchGetOptions {
  readonly signal?: AbortSignal | undefined;
  /** Waits before it reads the keys that DynamoDB left unprocessed. */
  readonly backOff?: BackOff;
}

/** BatchGetItem's limit. */
const KEYS_MAX = 100;

const ATTEMPTS_MAX = 8;

/** At most 1.6 s for all attempts. */
const BACK_OFF = createBackOff({ firstMs: 20, maxMs: 500 });

const readPart = async (
  documents: Documents,
  tableName: string,
  keys: readonly RawItem[],
  { signal, backOff = BACK_OFF }: BatchGetOptions,
): Promise<readonly RawItem[]> => {
  const found: RawItem[] = [];
  let Keys = [...keys];
  for (let attempt = 1; ; attempt += 1) {
    const command = new BatchGetItemCommand({
      RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
    });
    // oxlint-disable-next-line no-await-in-loop -- an attempt reads what the last one left
    const { Responses, UnprocessedKeys } = await documents.send(command, callOptions(signal));
    found.push(...(Responses?.[tableName] ?? []));
    // A response without results is no proof that the items do not exist.
    Keys = UnprocessedKeys?.[tableName]?.Keys ?? (Responses ? [] : Keys);
    if (Keys.length === 0) return found;
    if (attempt === ATTEMPTS_MAX) throw new TableThrottledError();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await backOff(attempt, signal);
  }
};

/**
 * Reads items by their keys, by strongly consistent reads, in no order. Items that do not exist are missing in the result.
 *
 * @param keys any number of different keys
 * @throws any error of the SDK, TableThrottledError or DatabaseContentionError, when DynamoDB is slow, throttles or is down
 */
export const batchGet = async (
  documents: Documents,
  tableName: string,
  keys: readonly RawItem[],
  options: BatchGetOptions = {},
): Promise<readonly RawItem[]> => {
  const reads = inParts(keys, KEYS_MAX).map((part) => readPart(documents, tableName, part, options));
  return (await Promise.all(reads)).flat();
};
