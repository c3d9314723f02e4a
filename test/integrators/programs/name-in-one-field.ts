import { invalid, type Program } from '../support/program.ts';

const REQUIRED = {
  email: 'email is required',
  firstName: 'firstName is required',
  lastName: 'lastName is required',
};

/** JavaScript, a habit of other payment APIs: one field `name`, and the buyer in an object `customer`. */
export const program: Program = {
  creates: ({ course }) => ({
    body: { productDocumentId: course, customer: { name: 'Ada Lovelace', email: 'ada@example.com' } },
  }),
  gets: {
    test: invalid({
      customer: 'Unknown field customer; there is no such field: send email, firstName, lastName and phone',
      ...REQUIRED,
    }),
    live: invalid(REQUIRED),
  },
};
