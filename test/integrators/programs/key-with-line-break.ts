import { order, type Program, rejected } from '../support/program.ts';

/**
 * PHP, an older curl: the key comes from a file that ends with a line break. It goes into the header as it is, and
 * the request ends too early.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Bearer ${shop.apiKey}\n` }, body: order(shop) }),
  gets: rejected('malformedRequest'),
  reads: ({ headers, body }) => [headers['content-type'], body.message],
  sees: ['application/json', 'The HTTP request is malformed'],
};
