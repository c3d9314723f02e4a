import { randomUUID } from 'node:crypto';
import type { IsolatedOperation } from '../../support/operations/all-rows.ts';

export const CART_ID = randomUUID();

/** The method of each operation, with arguments. `test/clients` has those of endpoints. */
export const METHODS: Readonly<
  Record<IsolatedOperation, readonly [method: string, args: readonly unknown[]]>
> = {
  createCartCheckout: ['createCart', [{}]],
  getCart: ['retrieveCart', [CART_ID]],
  expireCart: ['expireCart', [CART_ID]],
  listEvents: ['listEvents', []],
  listProducts: ['listProducts', []],
  getProduct: ['retrieveProduct', ['one-course']],
};
