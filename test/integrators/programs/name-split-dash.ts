import { CREATED, order, type Program } from '../support/program.ts';

/**
 * TypeScript, a Next.js route: accounts have one name, or none. `-` stands for a missing last name, and the local
 * part of the e-mail address for a missing first name. The code needs `cart.id` and `redirectUrl`, and otherwise
 * shows `message`.
 */
export const program: Program = {
  creates: (shop) => {
    const email = 'ada.lovelace+shop@example.com';
    return { body: order(shop, { email, firstName: email.split('@')[0], lastName: '-' }) };
  },
  gets: CREATED,
  reads: ({ status, body }) =>
    status < 300 && body.cart?.id && body.redirectUrl ? { ok: true } : { ok: false, error: body.message },
  sees: { ok: true },
};
