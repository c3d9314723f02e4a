import { cartPath } from '../../support/http-client.ts';
import { CREATED, order, type Program } from '../support/program.ts';

/** Low-code, one step for all requests: the retrieval has a content type and an empty object as its body. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { send }) =>
    (await send({ method: 'GET', target: cartPath(body.cart.id), body: {} })).body.status,
  sees: 'waiting_payment',
};
