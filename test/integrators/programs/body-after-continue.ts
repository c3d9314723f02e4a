import { CREATED, order, type Program } from '../support/program.ts';

/** PHP, an older curl: above 1,024 bytes, it waits for `100 Continue` before it sends the body. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { meta: { note: 'x'.repeat(450), cart: 'y'.repeat(450) } }),
    framing: 'expect-continue',
  }),
  gets: CREATED,
  reads: ({ wasContinued }) => wasContinued,
  sees: true,
};
