import { invalid, order, type Program } from '../support/program.ts';

/**
 * Ruby, code for a JSON:API service: the order is in `data.attributes`. The media type ends in `+json`, so the body
 * is read.
 */
export const program: Program = {
  creates: (shop) => ({
    headers: { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' },
    body: { data: { type: 'checkouts', attributes: order(shop) } },
  }),
  gets: invalid({
    productDocumentId: 'productDocumentId is required',
    email: 'email is required',
    firstName: 'firstName is required',
    lastName: 'lastName is required',
  }),
  reads: ({ body }) => body.errors?.[0]?.detail ?? body.message,
  sees: 'The payload format is invalid',
};
