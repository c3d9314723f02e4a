import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { createBackOff } from '../../../lib/back-off.ts';
import { type Documents, TableThrottledError } from '../../../lib/dynamodb.ts';
import { inParts } from '../../../lib/in-parts.ts';

/** An item as DynamoDB stores it: a copy loses nothing, whatever release wrote it. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** BatchGetItem's limit. */
const READS_MAX = 100;

const ATTEMPTS_MAX = 8;

const BACK_OFF = createBackOff({ firstMs: 50, maxMs: 2_000 });

/** The attributes of an item's key. */
export const keyOf = (item: RawItem, keyNames: readonly string[]): Record<string, AttributeValue> =>
  Object.fromEntries(keyNames.map((name) => [name, item[name] as AttributeValue]));

/** The text of an item's key, for a map. */
export const keyText = (item: RawItem, keyNames: readonly string[]): string =>
  JSON.stringify(keyNames.map((name) => item[name]));

/**
 * Reads items by their keys.
 *
 * @param keys have the attributes `keyNames`, and may have others
 * @returns the found items by {@link keyText}
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readItems = async (
  documents: Documents,
  tableName: string,
  keyNames: readonly string[],
  keys: readonly RawItem[],
): Promise<ReadonlyMap<string, RawItem>> => {
  const found = new Map<string, RawItem>();
  for (const part of inParts(keys, READS_MAX)) {
    let Keys = part.map((item) => keyOf(item, keyNames));
    for (let attempt = 1; Keys.length > 0; attempt += 1) {
      const RequestItems = { [tableName]: { Keys, ConsistentRead: true } };
      const page = await documents.send(new BatchGetItemCommand({ RequestItems }));
      for (const item of page.Responses?.[tableName] ?? []) found.set(keyText(item, keyNames), item);
      Keys = page.UnprocessedKeys?.[tableName]?.Keys ?? [];
      if (Keys.length === 0) break;
      if (attempt === ATTEMPTS_MAX) throw new TableThrottledError();
      await BACK_OFF(attempt);
    }
  }
  return found;
};
