import { invalid, type Program } from '../support/program.ts';

/** Ruby, a Rails service: all names are in snake case. */
export const program: Program = {
  creates: ({ course }) => ({
    body: {
      product_document_id: course,
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      redirect_url: 'https://shop.example/thanks',
    },
  }),
  gets: {
    test: invalid({
      productDocumentId: 'productDocumentId is required',
      firstName: 'firstName is required',
      lastName: 'lastName is required',
      product_document_id: 'Unknown field product_document_id; did you mean productDocumentId?',
      first_name: 'Unknown field first_name; did you mean firstName?',
      last_name: 'Unknown field last_name; did you mean lastName?',
      redirect_url: 'Unknown field redirect_url; did you mean redirectURL?',
    }),
    live: invalid({
      productDocumentId: 'productDocumentId is required',
      firstName: 'firstName is required',
      lastName: 'lastName is required',
    }),
  },
};
