import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Mode } from '../api-keys/api-key.ts';
import { callOptions, type Documents, TableThrottledError } from '../dynamodb.ts';
import { inParts } from '../in-parts.ts';
import { fromRawCart, type RawCart } from './cart-item.ts';
import type { Cart } from './cart.ts';

/** Carts of one mode, by their ids. */
export interface CartsOfMode {
  readonly mode: Mode;
  readonly cartIds: readonly string[];
}

export interface CartReads {
  readonly documents: Documents;
  /** The table of each mode's carts. */
  readonly tables: Readonly<Record<Mode, string>>;
}

/** BatchGetItem's limit. */
const READS_MAX = 100;

/** The most attempts to read all carts of a batch. */
const READ_ATTEMPTS_MAX = 5;

/** Reads carts, in no order. Deleted ones are missing. */
const readCarts = async (
  documents: Documents,
  tableName: string,
  cartIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Cart[]> => {
  const found: RawCart[] = [];
  let Keys = cartIds.map((id) => ({ id: { S: id } }));
  for (let attempt = 0; Keys.length > 0; attempt += 1) {
    if (attempt === READ_ATTEMPTS_MAX) throw new TableThrottledError();
    const command = new BatchGetItemCommand({
      RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
    });
    // oxlint-disable-next-line no-await-in-loop -- an attempt reads what the last one left
    const { Responses, UnprocessedKeys } = await documents.send(command, callOptions(signal));
    found.push(...(Responses?.[tableName] ?? []));
    Keys = (UnprocessedKeys?.[tableName]?.Keys ?? []) as typeof Keys;
  }
  return found.map(fromRawCart);
};

/** A stored cart, and the table that has it. */
export interface FoundCart {
  readonly tableName: string;
  readonly cart: Cart;
}

/**
 * Reads the carts of a mode. It looks for missing test carts in the table of live mode too, where an earlier release stored
 * them. Deleted carts are missing in the result.
 *
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const findCarts = async (
  { mode, cartIds }: CartsOfMode,
  { documents, tables }: CartReads,
  signal?: AbortSignal,
): Promise<readonly FoundCart[]> => {
  const readFrom = async (tableName: string, wanted: readonly string[]): Promise<readonly FoundCart[]> => {
    const reads = inParts(wanted, READS_MAX).map((ids) => readCarts(documents, tableName, ids, signal));
    return (await Promise.all(reads)).flat().map((cart) => ({ tableName, cart }));
  };
  const found = await readFrom(tables[mode], cartIds);
  if (mode === 'live') return found;
  const foundIds = new Set(found.map(({ cart }) => cart.id));
  const others = await readFrom(
    tables.live,
    cartIds.filter((id) => !foundIds.has(id)),
  );
  return [...found, ...others.filter(({ cart }) => cart.mode === mode)];
};
