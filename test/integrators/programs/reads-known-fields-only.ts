import { CREATED, order, type Program } from '../support/program.ts';

/**
 * Go, `DisallowUnknownFields`: it knows the fields of the original description. Fields that the API added break it,
 * which is why `docs/contract.md` asks to ignore unknown fields.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const known = 'id createdAt updatedAt status customerInfo paymentId meta'.split(' ');
    const unknownIn = (cart: object): string[] => Object.keys(cart).filter((name) => !known.includes(name));
    return [unknownIn(body.cart), unknownIn((await retrieve(body.cart.id)).body)];
  },
  sees: [
    ['productDocumentId', 'productName', 'price'],
    ['productDocumentId', 'productName', 'price', 'expiresAt', 'redirectUrl'],
  ],
};
