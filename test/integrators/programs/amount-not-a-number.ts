import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript: `Number(undefined)` is `NaN`, which JSON writes as `null`. The fixed price applies. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { customerPrice: Number(undefined) }) }),
  gets: CREATED,
};
