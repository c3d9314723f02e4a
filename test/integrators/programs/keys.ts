import { CREATED, order, rejected, type Programs } from '../support/program.ts';

/** How programs send the API key. */
export const programs: Programs = {
  /**
   * Java, `setBasicAuth`: the key is the user name of basic authentication. All wrong keys get the same response.
   */
  'key-as-basic': {
    creates: (shop) => ({
      headers: { Authorization: `Basic ${btoa(`${shop.apiKey}:`)}` },
      body: order(shop),
    }),
    gets: rejected('invalidApiKey'),
  },
  /** C#, a habit of other APIs: the key is in `X-Api-Key`. All wrong keys get the same response. */
  'key-in-own-header': {
    creates: (shop) => ({
      headers: { Authorization: undefined, 'X-Api-Key': shop.apiKey },
      body: order(shop),
    }),
    gets: rejected('invalidApiKey'),
  },
  /**
   * PHP, a `.env` file that is read line by line: the quotes belong to the key. All wrong keys get the same response.
   */
  'key-in-quotes': {
    creates: (shop) => ({ headers: { Authorization: `Bearer "${shop.apiKey}"` }, body: order(shop) }),
    gets: rejected('invalidApiKey'),
  },
  /** Rust, a hand-written header: the scheme is `bearer`. */
  'key-scheme-lower-case': {
    creates: (shop) => ({ headers: { authorization: `bearer ${shop.apiKey}` }, body: order(shop) }),
    gets: CREATED,
  },
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
    gets: rejected('invalidApiKey'),
  },
  /** Python: the header has the key alone. All wrong keys get the same response. */
  'key-without-scheme': {
    creates: (shop) => ({ headers: { Authorization: shop.apiKey }, body: order(shop) }),
    gets: rejected('invalidApiKey'),
  },
};
