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
    gets: invalid({ '': 'Content-Type must be application/json' }),
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
  /** C#, `StringContent`: the content type has a charset. */
  'body-charset': {
    creates: (shop) => ({
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: order(shop),
    }),
    gets: CREATED,
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
    gets: invalid({ '': 'Must not be compressed: send it without Content-Encoding' }),
  },
  /** JavaScript, jQuery: `JSON.stringify` runs twice, so the body is a JSON text. */
  'body-encoded-twice': {
    creates: (shop) => ({ body: JSON.stringify(JSON.stringify(order(shop))) }),
    gets: invalid({ '': 'Must be a JSON object' }),
  },
  /** PHP, two headers confused: `Content-Encoding: utf-8` on a body that is not compressed. */
  'body-encoding-utf-8': {
    creates: (shop) => ({ headers: { 'Content-Encoding': 'utf-8' }, body: order(shop) }),
    gets: CREATED,
  },
  /** Low-code, an automation that sends its list of items: one order in an array. */
  'body-in-a-list': {
    creates: (shop) => ({ body: [order(shop)] }),
    gets: invalid({ '': 'Must be a JSON object' }),
  },
  /**
   * Python, `urllib` with `data=json.dumps(...)`: the body is JSON, but the default content type is that of a form.
   */
  'body-json-as-form': {
    creates: (shop) => ({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Encoding': 'identity' },
      body: order(shop),
    }),
    gets: invalid({ '': 'Content-Type must be application/json' }),
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
  /** C#, an example that many pages repeat: the content type is `text/json`. */
  'body-text-json': {
    creates: (shop) => ({ headers: { 'Content-Type': 'text/json' }, body: order(shop) }),
    gets: invalid({ '': 'Content-Type must be application/json' }),
  },
  /** Python, requests with `data=json.dumps(...)`: no content type at all. */
  'body-without-type': {
    creates: (shop) => ({ headers: { 'Content-Type': undefined, Accept: '*/*' }, body: order(shop) }),
    gets: invalid({ '': 'Content-Type must be application/json' }),
  },
};
