import { gzipSync } from 'node:zlib';
import { CREATED, invalid, order, type Programs } from '../support/program.ts';

/** How programs send the body. */
export const programs: Programs = {
  /** PHP, an older curl: above 1,024 bytes, it waits for `100 Continue` before it sends the body. */
  'body-after-continue': {
    creates: (shop) => ({
      body: order(shop, { meta: { note: 'x'.repeat(450), cart: 'y'.repeat(450) } }),
      framing: 'expect-continue',
    }),
    gets: CREATED,
    reads: ({ wasContinued }) => wasContinued,
    sees: true,
  },
  /** PHP, `http_build_query`, as in Dart a map as the body: the fields are a form. */
  'body-as-form': {
    creates: (shop) => ({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...order(shop) }).toString(),
    }),
    gets: invalid({
      'headers.content-type': 'Content-Type must be application/json, not application/x-www-form-urlencoded',
    }),
  },
  /**
   * C#, `new StreamWriter(stream, Encoding.UTF8)`: a byte order mark precedes the JSON. RFC 8259, 8.1, allows a reader
   * to ignore it.
   */
  'body-byte-order-mark': {
    creates: (shop) => ({
      body: Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(JSON.stringify(order(shop)))]),
    }),
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo.firstName,
    sees: 'Ada',
  },
  /** Go, a body that is encoded while it is sent: chunks, without a length. */
  'body-chunked': {
    creates: (shop) => ({
      headers: { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' },
      body: order(shop),
      framing: 'chunked',
    }),
    gets: CREATED,
  },
  /** C#, a handler that compresses every request: the body is in gzip. */
  'body-compressed': {
    creates: (shop) => ({
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify(order(shop))),
    }),
    gets: invalid({
      'headers.content-encoding': 'The body must not be compressed: send it without Content-Encoding',
    }),
  },
  /** JavaScript, jQuery: `JSON.stringify` runs twice, so the body is a JSON text. */
  'body-encoded-twice': {
    creates: (shop) => ({ body: JSON.stringify(JSON.stringify(order(shop))) }),
    gets: invalid({ '': 'Must be a JSON object' }),
  },
  /** Python, `str(order)` instead of `json.dumps(order)`: quotes are single. */
  'body-in-single-quotes': {
    creates: () => ({ body: "{'email': 'ada@example.com'}" }),
    gets: invalid({ '': "Must be valid JSON: unexpected ' at position 1" }),
  },
  /** Low-code, a template whose value was missing: the comma stays. */
  'body-trailing-comma': {
    creates: () => ({ body: '{"email":"ada@example.com",}' }),
    gets: invalid({ '': 'Must be valid JSON: unexpected } at position 27' }),
  },
  /** Visual Basic, a legacy system: the body is in Windows-1252. */
  'body-latin-1': {
    creates: (shop) => ({ body: Buffer.from(JSON.stringify(order(shop, { firstName: 'Zoë' })), 'latin1') }),
    gets: invalid({ '': 'Must be valid UTF-8' }),
  },
  /** JavaScript, axios: the data is `undefined`, so the request has no body and no content type. */
  'body-missing': {
    creates: () => ({ headers: { Accept: 'application/json, text/plain, */*', 'Content-Length': '0' } }),
    gets: invalid({ '': 'A JSON body is required' }),
  },
  /** Python, requests with `data=json.dumps(...)`: no content type at all. */
  'body-without-type': {
    creates: (shop) => ({ headers: { 'Content-Type': undefined, Accept: '*/*' }, body: order(shop) }),
    gets: invalid({ 'headers.content-type': 'Content-Type must be application/json' }),
  },
};
