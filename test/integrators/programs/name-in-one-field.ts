import { invalid, type Program } from '../support/program.ts';

/** JavaScript, a habit of other payment APIs: one field `name`, and the buyer in an object `customer`. */
export const program: Program = {
  creates: ({ course }) => ({
    body: { productDocumentId: course, customer: { name: 'Ada Lovelace', email: 'ada@example.com' } },
  }),
  gets: invalid({
    email: 'email is required',
    firstName: 'firstName is required',
    lastName: 'lastName is required',
  }),
};
