import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../core/documents.ts';
import { isThrottle, ThrottledError } from '../core/errors.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';
import { type Pauses, retryRest } from '../core/retry.ts';
import type { Product } from './product.ts';

/** The end of an import. Only a `complete` one stored all products. */
interface ImportResult {
  readonly stored: number;
  readonly end: 'complete' | 'stopped' | 'throttled';
}

interface ImportOptions {
  /** Aborting it stops the import after the batches in flight. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch with the number of stored products. */
  readonly onProgress?: ((stored: number) => void) | undefined;
}

export interface ProductImport {
  /**
   * Finds the stores of products by product id. Omits unknown products.
   *
   * @param onProgress called after each batch with the number of products that were looked up
   * @throws ThrottledError if DynamoDB throttles every attempt
   */
  findOwners(
    productIds: readonly string[],
    onProgress?: (done: number) => void,
  ): Promise<ReadonlyMap<string, string>>;

  /**
   * Stores products, in no order. Each replaces an earlier one with the same id. An incomplete import is safe to repeat
   * as a whole.
   */
  putMany(products: readonly Product[], options?: ImportOptions): Promise<ImportResult>;
}

/** DynamoDB's limits for one batch. */
const KEYS_PER_BATCH_MAX = 100;
const PUTS_PER_BATCH_MAX = 25;

/** Enough to hide the network's latency. With more batches, DynamoDB would throttle sooner. */
const BATCHES_AT_ONCE = 4;

/** A batch has about 15 s on average. */
const RETRIES = { attemptsMax: 12, firstMs: 50, maxMs: 5_000 };

/** Sends items as one batch. Returns those that DynamoDB left unprocessed. */
type SendBatch<Item> = (items: readonly Item[]) => Promise<readonly Item[]>;

/**
 * Sends a batch, in up to 12 attempts. Each attempt sends the items that the one before left unprocessed.
 *
 * @returns the number of items that are still unprocessed
 * @throws any error of the SDK except throttling
 */
const sendBatch = async <Item>(
  items: readonly Item[],
  send: SendBatch<Item>,
  pauses?: Pauses,
): Promise<number> => {
  // DynamoDB throws if it throttles a whole batch.
  const sendUnlessThrottled = async (left: readonly Item[]): Promise<readonly Item[]> => {
    try {
      return await send(left);
    } catch (error) {
      if (isThrottle(error)) return left;
      throw error;
    }
  };
  return (await retryRest(items, sendUnlessThrottled, { ...RETRIES, pauses })).length;
};

/** Imports in the table `products`. A response without results confirms nothing: its whole batch is sent again. */
export const createProductImport = (
  documents: Documents,
  tableName: string,
  pauses?: Pauses,
): ProductImport => ({
  async findOwners(productIds, onProgress) {
    const owners = new Map<string, string>();
    let done = 0;
    const send: SendBatch<string> = async (ids) => {
      const Keys = ids.map((id) => ({ id }));
      const request = { Keys, ProjectionExpression: 'id, storeId', ConsistentRead: true };
      const command = new BatchGetCommand({ RequestItems: { [tableName]: request } });
      const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await documents.send(command);
      if (!Responses && !UnprocessedKeys) return ids;
      for (const { id, storeId } of Responses?.[tableName] ?? []) owners.set(String(id), String(storeId));
      return (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ id }) => String(id));
    };
    await inParallel(inParts(productIds, KEYS_PER_BATCH_MAX), BATCHES_AT_ONCE, async (ids) => {
      if ((await sendBatch(ids, send, pauses)) > 0) throw new ThrottledError();
      done += ids.length;
      onProgress?.(done);
    });
    return owners;
  },

  async putMany(products, { signal, onProgress } = {}) {
    let stored = 0;
    let isThrottled = false;
    const send: SendBatch<Product> = async (batch) => {
      const RequestItems = { [tableName]: batch.map((product) => ({ PutRequest: { Item: product } })) };
      const command = new BatchWriteCommand({ RequestItems });
      const { UnprocessedItems }: BatchWriteCommandOutput = await documents.send(command);
      if (!UnprocessedItems) return batch;
      return (UnprocessedItems[tableName] ?? []).map(({ PutRequest }) => PutRequest?.Item as Product);
    };
    await inParallel(inParts(products, PUTS_PER_BATCH_MAX), BATCHES_AT_ONCE, async (batch) => {
      if (signal?.aborted || isThrottled) return;
      const left = await sendBatch(batch, send, pauses);
      stored += batch.length - left;
      isThrottled ||= left > 0;
      onProgress?.(stored);
    });
    if (stored === products.length) return { stored, end: 'complete' };
    return { stored, end: isThrottled ? 'throttled' : 'stopped' };
  },
});
