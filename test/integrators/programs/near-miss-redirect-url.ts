import { CREATED, invalid, order, type Program } from '../support/program.ts';

/**
 * TypeScript, a NestJS service: `redirectUrl`, as the response spells it. The buyer would have no way back.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectUrl: 'https://shop.example/thanks' }) }),
  gets: {
    test: invalid({ redirectUrl: 'Unknown field redirectUrl; did you mean redirectURL?' }),
    live: CREATED,
  },
};
