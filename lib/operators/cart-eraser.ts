import { isErased } from '../carts/cart.ts';
import type { FoundCart } from '../carts/find-carts.ts';
import type { Clock } from '../core/clock.ts';
import type { DocumentClient } from '../database/documents.ts';
import { eraseCarts } from '../erasures/erase-carts.ts';
import type { ErasureLedger } from './erasure-ledger.ts';

/** Erases the buyers' data of carts for operators. */
export const createCartEraser = (
  documents: DocumentClient,
  ledger: Pick<ErasureLedger, 'add'>,
  now: Clock,
) => ({
  /** Stores the carts that are not erased yet in the ledger, then erases them: see {@link eraseCarts}. */
  async erase(found: readonly FoundCart[]): Promise<number> {
    const erasedAtMs = now();
    const left = found.filter(({ cart }) => !isErased(cart));
    await ledger.add(left.map(({ cart: { id, mode } }) => ({ cartId: id, mode, erasedAtMs })));
    return eraseCarts(documents, left, now);
  },
});
