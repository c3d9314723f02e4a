import { CREATED, order, type Program } from '../support/program.ts';

/** Python, a dataclass and `json=asdict(order)`: each optional field that nobody set is `null`. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { phone: null, redirectURL: null, meta: null, customerPrice: null }),
  }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.meta,
  sees: {},
};
