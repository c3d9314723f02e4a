import { CREATED, order, type Program } from '../support/program.ts';

/** Python, `strptime('%Y-%m-%dT%H:%M:%S.%fZ')`: it needs the fraction and the `Z`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const { createdAt, updatedAt, expiresAt } = (await retrieve(body.cart.id)).body;
    const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z$/;
    return [body.cart.createdAt, createdAt, updatedAt, expiresAt].every((time) => form.test(time));
  },
  sees: true,
};
