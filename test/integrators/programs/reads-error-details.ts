import { invalid, order, type Program } from '../support/program.ts';

/** Python: the log of a rejected request names each field. It must not name the buyer. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { email: 'ada@', lastName: undefined }) }),
  gets: invalid({ email: 'Must be an e-mail address', lastName: 'lastName is required' }),
  reads: ({ body, bodyText }) => ({
    fields: body.details.map((detail: { path: string }) => detail.path).toSorted(),
    namesBuyer: /ada/i.test(bodyText),
  }),
  sees: { fields: ['email', 'lastName'], namesBuyer: false },
};
