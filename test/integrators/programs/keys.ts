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
  /** C#, a habit of other APIs: the key is the user name of Basic authentication. */
  'key-in-basic': {
    creates: (shop) => ({
      headers: { Authorization: `Basic ${Buffer.from(`${shop.apiKey}:`).toString('base64')}` },
      body: order(shop),
    }),
    gets: rejected('invalidApiKey', { 'headers.authorization': 'The scheme must be Bearer, not Basic' }),
  },
  /** JavaScript: the last character of the key was not copied. */
  'key-incomplete': {
    creates: (shop) => ({
      headers: { Authorization: `Bearer ${shop.apiKey.slice(0, -1)}` },
      body: order(shop),
    }),
    gets: rejected('invalidApiKey', { 'headers.authorization': 'The key is too short' }),
  },
  /** JavaScript: the configured key already begins with `Bearer`. All wrong keys get the same response. */
  'key-with-scheme-twice': {
    creates: (shop) => ({ headers: { Authorization: `Bearer Bearer ${shop.apiKey}` }, body: order(shop) }),
    gets: rejected('invalidApiKey', { 'headers.authorization': 'Bearer is sent twice' }),
  },
};
