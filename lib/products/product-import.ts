import { BatchWriteCommand, type BatchWriteCommandOutput } from '@aws-sdk/lib-dynamodb';
import { batchGet, KEYS_MAX } from '../core/batch-get.ts';
import type { Documents } from '../core/documents.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';
import { type Pauses, retryRest, unlessThrottled } from '../core/retry.ts';
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

/** BatchWriteItem's limit. */
const PUTS_PER_BATCH_MAX = 25;

/** Enough to hide the network's latency. With more batches, DynamoDB would throttle sooner. */
const BATCHES_AT_ONCE = 4;

/** A batch has about 15 s on average. Each attempt sends the items that DynamoDB left unprocessed. */
const RETRIES = { attemptsMax: 12, firstMs: 50, maxMs: 5_000 };

/** Sends a batch of puts once. Returns the products that DynamoDB left unprocessed. */
const putOnce =
  (documents: Documents, tableName: string) =>
  async (batch: readonly Product[]): Promise<readonly Product[]> => {
    const RequestItems = { [tableName]: batch.map((product) => ({ PutRequest: { Item: product } })) };
    const command = new BatchWriteCommand({ RequestItems });
    const { UnprocessedItems }: BatchWriteCommandOutput = await documents.send(command);
    if (!UnprocessedItems) return batch;
    return (UnprocessedItems[tableName] ?? []).map(({ PutRequest }) => PutRequest?.Item as Product);
  };

/** Imports in the table `products`. A response without results confirms nothing: its whole batch is sent again. */
export const createProductImport = (documents: Documents, tableName: string, pauses?: Pauses) => ({
  /**
   * Finds the stores of products by product id. Omits unknown products.
   *
   * @param onProgress called after each batch with the number of products that were looked up
   * @throws ThrottledError if DynamoDB throttles every attempt
   */
  async findOwners(
    productIds: readonly string[],
    onProgress?: (done: number) => void,
  ): Promise<ReadonlyMap<string, string>> {
    const owners = new Map<string, string>();
    let done = 0;
    await inParallel(inParts(productIds, KEYS_MAX), BATCHES_AT_ONCE, async (ids) => {
      const keys = ids.map((id) => ({ id: { S: id } }));
      const found = await batchGet(documents, tableName, keys, { ...RETRIES, pauses });
      for (const { id, storeId } of found) owners.set(String(id?.S), String(storeId?.S));
      done += ids.length;
      onProgress?.(done);
    });
    return owners;
  },

  /**
   * Stores products, in no order. Each replaces an earlier one with the same id. An incomplete import is safe to repeat
   * as a whole.
   */
  async putMany(
    products: readonly Product[],
    { signal, onProgress }: ImportOptions = {},
  ): Promise<ImportResult> {
    let stored = 0;
    let isThrottled = false;
    const send = unlessThrottled(putOnce(documents, tableName));
    await inParallel(inParts(products, PUTS_PER_BATCH_MAX), BATCHES_AT_ONCE, async (batch) => {
      if (signal?.aborted || isThrottled) return;
      const left = await retryRest(batch, send, { ...RETRIES, pauses });
      stored += batch.length - left.length;
      isThrottled ||= left.length > 0;
      onProgress?.(stored);
    });
    if (stored === products.length) return { stored, end: 'complete' };
    return { stored, end: isThrottled ? 'throttled' : 'stopped' };
  },
});

export type ProductImport = ReturnType<typeof createProductImport>;
