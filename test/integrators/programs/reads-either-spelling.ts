import { CREATED, order, type Program } from '../support/program.ts';

/** PHP: it tries several spellings of the payment address, and several places of the id. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: ({ body }) => {
    const url = body.redirectUrl ?? body.redirect_url ?? body.checkoutUrl ?? body.data?.redirectUrl ?? '';
    const id = body.cart?.id ?? body.id ?? body.data?.id ?? '';
    return /^[A-Za-z0-9-]{8,80}$/.test(id) && url.endsWith(`/${id}`);
  },
  sees: true,
};
