import { order, rejected, type Programs } from '../support/program.ts';

/** How programs send the API key. */
export const programs: Programs = {
  /**
   * PHP, an older curl: the key comes from a file that ends with a line break. It goes into the header as it is, and
   * the request ends too early.
   */
  'key-with-line-break': {
    creates: (shop) => ({ headers: { Authorization: `Bearer ${shop.apiKey}\n` }, body: order(shop) }),
    gets: rejected('malformedRequest'),
    reads: ({ headers, body }) => [headers['content-type'], body.message],
    sees: ['application/json', 'The HTTP request is malformed'],
  },
  /** JavaScript: the configured key already begins with `Bearer`. All wrong keys get the same response. */
  'key-with-scheme-twice': {
    creates: (shop) => ({ headers: { Authorization: `Bearer Bearer ${shop.apiKey}` }, body: order(shop) }),
    gets: rejected('invalidApiKey', { 'headers.authorization': 'Bearer is there twice' }),
  },
};
