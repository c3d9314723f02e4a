import { batchGet, type RawItem } from '../../../lib/core/batch-get.ts';
import type { Documents } from '../../../lib/core/documents.ts';

/** The text of an item's key, for a map. */
export const keyText = (item: RawItem, keyNames: readonly string[]): string =>
  JSON.stringify(keyNames.map((name) => item[name]));

/**
 * Reads the items of a table that have the same keys as items of another one.
 *
 * @param keyNames the attributes of the key
 * @returns the found items by {@link keyText}
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readSameKeys = async (
  documents: Documents,
  tableName: string,
  keyNames: readonly string[],
  items: readonly RawItem[],
): Promise<ReadonlyMap<string, RawItem>> => {
  const keys = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => keyNames.includes(name))),
  );
  const found = await batchGet(documents, tableName, keys);
  return new Map(found.map((item) => [keyText(item, keyNames), item]));
};
