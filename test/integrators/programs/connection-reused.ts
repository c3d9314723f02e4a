import { CREATED, order, type Program } from '../support/program.ts';

/** C#, one `HttpClient` for all buyers: several requests over one connection, the second one rejected. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async (_, shop) => {
    const bodies = [order(shop), order(shop, { email: 'nobody' }), order(shop)];
    const responses = await shop.sendOnOneConnection(bodies.map((body) => ({ body })));
    return responses.map(({ status }) => status);
  },
  sees: [201, 422, 201],
};
