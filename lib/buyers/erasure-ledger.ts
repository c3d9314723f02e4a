import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Mode } from '../api-keys/api-key.ts';
import { callOptions, type Documents } from '../dynamodb.ts';
import { scanPages } from '../dynamodb-pages.ts';
import { inParallel } from '../in-parallel.ts';

/** A cart whose buyer's data is erased, or about to be. It holds no personal data. */
export interface Erasure {
  readonly cartId: string;
  readonly mode: Mode;
  readonly erasedAtMs: number;
}

/**
 * The carts whose buyers' data is erased. Entries are permanent: after a restore of a table, they show which data to erase
 * again.
 *
 * All methods throw when DynamoDB is slow, throttles or is down.
 */
export interface ErasureLedger {
  /** Stores entries. Call it before the carts change: a crash then loses no erasure. A repetition is harmless. */
  add(erasures: readonly Erasure[], signal?: AbortSignal): Promise<void>;

  /** Reads all entries in pages, in no order. Reads the whole table. */
  pages(): AsyncIterable<readonly Erasure[]>;
}

const PUTS_AT_ONCE = 10;

/** The ledger in the table `erasures`. */
export const createErasureLedger = (documents: Documents, tableName: string): ErasureLedger => ({
  add: (erasures, signal) =>
    inParallel(erasures, PUTS_AT_ONCE, ({ cartId, mode, erasedAtMs }) => {
      const put = new PutCommand({ TableName: tableName, Item: { cartId, mode, erasedAtMs } });
      return documents.send(put, callOptions(signal));
    }),

  async *pages() {
    const pages = scanPages(documents, { TableName: tableName, ConsistentRead: true });
    for await (const { Items = [] } of pages) yield Items as Erasure[];
  },
});
