import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel, WRITES_AT_ONCE } from '../../core/in-parallel.ts';
import { batchGet } from '../../database/batch-get.ts';
import type { DocumentClient } from '../../database/documents.ts';
import type { Mode } from '../../stores/mode.ts';

/** A cart whose buyer's data is erased, or about to be. It holds no personal data. */
interface Erasure {
  readonly cartId: string;
  readonly mode: Mode;
  readonly erasedAtMs: number;
}

/**
 * The carts whose buyers' data is erased, in the table `erasures`. Entries are permanent: after a restore of a table, they show
 * which data to erase again. All methods throw when DynamoDB is slow, throttles or is down.
 */
export const createErasureLedger = (documents: DocumentClient, tableName: string) => ({
  /** Stores entries. Call it before the carts change: a crash then loses no erasure. A repetition is harmless. */
  add: (erasures: readonly Erasure[]): Promise<void> =>
    inParallel(erasures, WRITES_AT_ONCE, ({ cartId, mode, erasedAtMs }) => {
      const put = new PutCommand({ TableName: tableName, Item: { cartId, mode, erasedAtMs } });
      return documents.send(put);
    }),

  /** Finds those of these carts that have an entry. */
  async find(cartIds: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = cartIds.map((cartId) => ({ cartId: { S: cartId } }));
    const entries = await batchGet(documents, tableName, keys);
    return new Set(entries.map(({ cartId }) => String(cartId?.S)));
  },
});

export type ErasureLedger = ReturnType<typeof createErasureLedger>;
