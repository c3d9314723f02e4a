import { isErased } from '../../carts/cart.ts';
import type { Clock } from '../../core/clock.ts';
import type { DocumentClient } from '../../database/documents.ts';
import { type CartInTable, eraseCarts } from '../../erasures/erase-carts.ts';
import type { ErasureLedger } from './erasure-ledger.ts';

/**
 * Stores the carts that are not erased yet in the ledger, then erases the buyers' data of them: see {@link eraseCarts}.
 *
 * @returns how many carts it erased
 * @throws when DynamoDB is slow, throttles or is down
 */
export const recordAndEraseCarts = async (
  documents: DocumentClient,
  ledger: Pick<ErasureLedger, 'add'>,
  found: readonly CartInTable[],
  now: Clock,
): Promise<number> => {
  const erasedAtMs = now();
  const left = found.filter(({ cart }) => !isErased(cart));
  await ledger.add(left.map(({ cart: { id, mode } }) => ({ cartId: id, mode, erasedAtMs })));
  return eraseCarts(documents, left, now);
};
