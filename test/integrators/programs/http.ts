import { cartPath, CHECKOUT } from '../../support/service/http-client.ts';
import { CREATED, invalidInTest, NO_ROUTE, order, type Programs } from '../support/program.ts';

/** Programs whose HTTP library changes the request. */
export const programs: Programs = {
  /** Java, `HttpURLConnection`: it prefers HTML, and names no program. The response is JSON. */
  'accept-html': {
    creates: (shop) => ({
      headers: { Accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
      body: order(shop),
    }),
    gets: CREATED,
    reads: ({ headers }) => headers['content-type'],
    sees: 'application/json',
  },
  /**
   * JavaScript, a page that calls the API from the browser, with the key in it. The preflight request gets no CORS
   * headers, so the browser sends nothing more.
   */
  'browser-preflight': {
    creates: () => ({
      method: 'OPTIONS',
      headers: {
        Authorization: undefined,
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    }),
    gets: NO_ROUTE,
    reads: ({ headers }) => headers['access-control-allow-origin'] ?? 'blocked by the browser',
    sees: 'blocked by the browser',
  },
  /** C#, one `HttpClient` for all buyers: several requests over one connection, the second one rejected. */
  'connection-reused': {
    gets: CREATED,
    reads: async (_, shop) => {
      const bodies = [order(shop), order(shop, { email: 'nobody' }), order(shop)];
      const responses = await shop.sendOnOneConnection(bodies.map((body) => ({ body })));
      return responses.map(({ status }) => status);
    },
    sees: [201, 422, 201],
  },
  /** COBOL, a mainframe's web client: header names are in capitals. */
  'headers-in-capitals': {
    creates: (shop) => ({
      headers: { AUTHORIZATION: `BEARER ${shop.apiKey}`, 'CONTENT-TYPE': 'APPLICATION/JSON' },
      body: order(shop),
    }),
    gets: CREATED,
  },
  /** PHP, WordPress: HTTP/1.0, and a connection for each request. */
  'http-1-0': {
    creates: (shop) => ({
      httpVersion: '1.0',
      headers: { 'User-Agent': 'WordPress/6.9; https://shop.example', Connection: 'close', Accept: '*/*' },
      body: order(shop),
    }),
    gets: CREATED,
    reads: ({ headers }) => headers['connection'],
    sees: 'close',
  },
  /** Rust, a proxy that splits a list: `Accept-Language` has two lines. */
  'header-of-a-list-twice': {
    creates: (shop) => ({
      headers: { 'Accept-Language': 'de', 'accept-language': 'fr-CA' },
      body: order(shop),
    }),
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo.lang,
    sees: 'fr-CA',
  },
  /** Java, `java.net.http.HttpClient`: it offers HTTP/2 on every plain connection. */
  'http-2-upgrade': {
    creates: (shop) => ({
      headers: {
        Connection: 'Upgrade, HTTP2-Settings',
        Upgrade: 'h2c',
        'HTTP2-Settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      },
      body: order(shop),
    }),
    gets: CREATED,
  },
  /** Low-code, one step for all requests: the retrieval has a content type and an empty object as its body. */
  'method-get-with-body': {
    gets: CREATED,
    reads: async ({ body }, { send }) =>
      (await send({ method: 'GET', target: cartPath(body.cart.id), body: {} })).body.status,
    sees: 'waiting_payment',
  },
  /** A monitor of addresses: `HEAD` instead of `GET`. The response has no body. */
  'method-head': {
    creates: () => ({ method: 'HEAD' }),
    gets: { status: 404 },
    reads: ({ bodyText }) => bodyText,
    sees: '',
  },
  /**
   * PHP, a framework that knows only GET and POST: the method is in `X-HTTP-Method-Override`, which is ignored.
   */
  'method-override': {
    creates: (shop) => ({ headers: { 'X-HTTP-Method-Override': 'PUT' }, body: order(shop) }),
    gets: CREATED,
  },
  /** Java behind a proxy of a company: the request line has the whole address. */
  'proxy-absolute-target': {
    creates: (shop) => ({ target: `http://${shop.host}${CHECKOUT}`, body: order(shop) }),
    gets: CREATED,
  },
  /** Ruby: a field of the body is in the query of the POST. Live mode ignores it, and the buyer has no way back. */
  'query-on-post': {
    creates: (shop) => ({
      target: `${CHECKOUT}?redirect_url=https%3A%2F%2Fshop.example%2F&utm_source=mail`,
      body: order(shop),
    }),
    gets: invalidInTest({
      'query.redirect_url': 'Unknown parameter redirect_url; send redirectURL in the body',
    }),
  },
};
