import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** Kotlin, one class for two payment APIs: it has the return address twice. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, {
      returnUrl: 'https://shop.example/thanks',
      successUrl: 'https://shop.example/thanks',
    }),
  }),
  gets: {
    test: invalid({
      returnUrl: 'Unknown field returnUrl; did you mean redirectURL?',
      successUrl: 'Unknown field successUrl; did you mean redirectURL?',
    }),
    live: CREATED,
  },
};
