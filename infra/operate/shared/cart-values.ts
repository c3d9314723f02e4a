import { parseCartId } from '../../../lib/carts/cart-id.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from '../frame/context.ts';
import { foundType, typeOf } from '../frame/value-types.ts';

const CART_ID_RULE = 'A cart id is a UUID, as in the response to its creation.';

/** The id of a cart, which the stage may lack. */
export const CART_ID = typeOf('id', CART_ID_RULE, parseCartId);

/**
 * Finds a cart of either mode.
 *
 * @throws OperatorError if there is none
 */
const findCart = async (id: string, { repositories }: Context): Promise<Cart> => {
  const cart = await repositories.findCart(id);
  if (!cart) throw new OperatorError(`No cart has the id ${id}.`);
  return cart;
};

/** A cart of either mode. */
export const CART = foundType(typeOf('id', CART_ID_RULE, parseCartId, UsageError), findCart);
