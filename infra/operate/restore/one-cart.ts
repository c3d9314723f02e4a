import { claimId } from '../../../lib/carts/payment-store.ts';
import { batchGet, type RawItem } from '../../../lib/core/batch-get.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import { OperatorError } from '../../operator-error.ts';

/**
 * Reads a cart and the claims of its payments from a restored table.
 *
 * @throws OperatorError if the table lacks the cart
 */
export const readCart = async (
  documents: Documents,
  tableName: string,
  cartId: string,
): Promise<readonly RawItem[]> => {
  const read = (ids: readonly string[]): Promise<readonly RawItem[]> =>
    batchGet(
      documents,
      tableName,
      ids.map((id) => ({ id: { S: id } })),
    );
  const [cart] = await read([cartId]);
  if (!cart) {
    throw new OperatorError(`The restored table ${tableName} has no cart ${cartId}: choose another time.`);
  }
  const paymentIds = new Set(cart['payments']?.L?.flatMap(({ M }) => M?.['paymentId']?.S ?? []));
  const claims = await read([...paymentIds].map(claimId));
  // A failed payment has no claim. Another cart may have the claim of the same id.
  return [cart, ...claims.filter(({ cartId: owner }) => owner?.S === cartId)];
};
