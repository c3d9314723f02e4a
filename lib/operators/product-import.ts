import { ThrottledError } from '../aws/errors.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';
import { retryRemaining } from '../core/retry-remaining.ts';
import type { Pauses } from '../core/retry.ts';
import { batchGet, BATCH_KEYS_MAX } from '../database/batch-get.ts';
import { createBatchPut, PUTS_PER_BATCH_MAX } from '../database/batch-put.ts';
import type { DocumentClient } from '../database/documents.ts';
import type { Product } from '../products/product.ts';

/** Enough to hide the network's latency. With more batches, DynamoDB would throttle sooner. */
const BATCHES_AT_ONCE = 4;

/** A batch has about 13 s on average. Each attempt sends the items that DynamoDB left unprocessed. */
const RETRIES = { attemptsMax: 12, firstMs: 50, maxMs: 5_000 };

/** Imports in the table `products`. A response without results confirms nothing: its whole batch is sent again. */
export const createProductImport = (documents: DocumentClient, tableName: string, pauses?: Pauses) => ({
  /**
   * Finds the stores of products by product id. Omits unknown products.
   *
   * @throws ThrottledError if DynamoDB throttles every attempt
   */
  async findOwners(productIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const owners = new Map<string, string>();
    await inParallel(inParts(productIds, BATCH_KEYS_MAX), BATCHES_AT_ONCE, async (ids) => {
      const keys = ids.map((id) => ({ id: { S: id } }));
      const found = await batchGet(documents, tableName, keys, { ...RETRIES, pauses });
      for (const { id, storeId } of found) owners.set(String(id?.S), String(storeId?.S));
    });
    return owners;
  },

  /**
   * Stores products, in no order. Each replaces an earlier one with the same id. An incomplete import is safe to repeat
   * as a whole.
   *
   * @param onProgress called after each batch with the number of stored products
   * @throws ThrottledError if DynamoDB throttles every attempt
   */
  async putMany(products: readonly Product[], onProgress?: (stored: number) => void): Promise<void> {
    let stored = 0;
    const send = createBatchPut<Product>(documents, tableName);
    await inParallel(inParts(products, PUTS_PER_BATCH_MAX), BATCHES_AT_ONCE, async (batch) => {
      const left = await retryRemaining(batch, send, { ...RETRIES, pauses });
      stored += batch.length - left.length;
      if (left.length > 0) throw new ThrottledError();
      onProgress?.(stored);
    });
  },
});
