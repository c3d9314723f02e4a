import { invalid, type Program } from '../support/program.ts';

/** C#, `JsonSerializer` with its defaults: names keep the capital of the property. */
export const program: Program = {
  creates: ({ course }) => ({
    body: { ProductDocumentId: course, Email: 'ada@example.com', FirstName: 'Ada', LastName: 'Lovelace' },
  }),
  gets: {
    test: invalid({
      productDocumentId: 'productDocumentId is required',
      email: 'email is required',
      firstName: 'firstName is required',
      lastName: 'lastName is required',
      ProductDocumentId: 'Unknown field ProductDocumentId; did you mean productDocumentId?',
      Email: 'Unknown field Email; did you mean email?',
      FirstName: 'Unknown field FirstName; did you mean firstName?',
      LastName: 'Unknown field LastName; did you mean lastName?',
    }),
    live: invalid({
      productDocumentId: 'productDocumentId is required',
      email: 'email is required',
      firstName: 'firstName is required',
      lastName: 'lastName is required',
    }),
  },
};
