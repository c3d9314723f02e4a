import { describe, expect, test } from 'vitest';
import {
  toGatewayEvent,
  type GatewayFacts,
  type HttpRequest,
} from '../../../../infra/local/gateway/event.ts';

const eventOf = (request: Partial<HttpRequest> = {}, facts: Partial<GatewayFacts> = {}) =>
  toGatewayEvent(
    {
      method: 'GET',
      target: '/carts/1',
      rawHeaders: [],
      body: new Uint8Array(),
      httpVersion: '1.1',
      sourceIp: '192.0.2.1',
      ...request,
    },
    {
      resource: '/carts/{cartId}',
      pathParameters: new Map([['cartId', '1']]),
      requestId: 'request-1',
      receivedAtMs: Date.UTC(2026, 10, 20, 9, 5, 0),
      domainName: '127.0.0.1',
      port: 3000,
      ...facts,
    },
  );

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('headers', () => {
  test('keep the casing of the client', () => {
    const event = eventOf({ rawHeaders: ['CONTENT-TYPE', 'application/json', 'x-Trace', 'a'] });

    expect(event.headers).toMatchObject({ 'CONTENT-TYPE': 'application/json', 'x-Trace': 'a' });
  });

  test('sent twice have the last value, and all values in the multi-value map, whatever their casing', () => {
    const event = eventOf({ rawHeaders: ['Accept', 'a', 'ACCEPT', 'b', 'accept', 'c'] });

    expect(event.headers).toMatchObject({ Accept: 'c' });
    expect(event.headers).not.toHaveProperty('ACCEPT');
    expect(event.multiValueHeaders).toMatchObject({ Accept: ['a', 'b', 'c'] });
  });

  test('named like parts of an object stay plain data', () => {
    const event = eventOf({ rawHeaders: ['__proto__', 'x', 'constructor', 'y'] });

    expect(Object.getOwnPropertyDescriptor(event.headers, '__proto__')?.value).toBe('x');
    expect(Object.getOwnPropertyDescriptor(event.multiValueHeaders, '__proto__')?.value).toEqual(['x']);
    expect(event.headers['constructor']).toBe('y');
    expect(Object.getPrototypeOf(event.headers)).toBe(Object.prototype);
  });

  test('of the connection do not reach the function', () => {
    const event = eventOf({
      rawHeaders: ['Connection', 'close', 'Transfer-Encoding', 'chunked', 'Host', 'h'],
    });

    expect(Object.keys(event.headers)).toEqual([
      'Host',
      'X-Forwarded-For',
      'X-Forwarded-Port',
      'X-Forwarded-Proto',
    ]);
  });
});

describe('forwarding headers', () => {
  test('are added', () => {
    expect(eventOf().headers).toEqual({
      'X-Forwarded-For': '192.0.2.1',
      'X-Forwarded-Port': '3000',
      'X-Forwarded-Proto': 'http',
    });
  });

  test('that the client sent are extended by its address or replaced', () => {
    const event = eventOf({ rawHeaders: ['x-forwarded-for', '203.0.113.9', 'x-forwarded-proto', 'gopher'] });

    expect(event.multiValueHeaders).toEqual({
      'X-Forwarded-For': ['203.0.113.9, 192.0.2.1'],
      'X-Forwarded-Port': ['3000'],
      'X-Forwarded-Proto': ['http'],
    });
  });
});

describe('path and query', () => {
  test('the path stays encoded while its parameters are decoded', () => {
    const event = eventOf({ target: '/carts/a%2Fb' }, { pathParameters: new Map([['cartId', 'a/b']]) });

    expect(event.path).toBe('/carts/a%2Fb');
    expect(event.pathParameters).toEqual({ cartId: 'a/b' });
  });

  test('query parameters are decoded, the last value winning', () => {
    const event = eventOf({ target: '/carts/1?a=1&b=%C3%A9&a=2&flag' });

    expect(event.path).toBe('/carts/1');
    expect(event.queryStringParameters).toEqual({ a: '2', b: 'é', flag: '' });
    expect(event.multiValueQueryStringParameters).toEqual({ a: ['1', '2'], b: ['é'], flag: [''] });
  });

  test('a query parameter named __proto__ stays plain data', () => {
    const { queryStringParameters } = eventOf({ target: '/carts/1?__proto__=x' });

    expect(Object.getOwnPropertyDescriptor(queryStringParameters, '__proto__')?.value).toBe('x');
  });

  test('invalid percent-encoding in the query is passed on, not thrown', () => {
    expect(eventOf({ target: '/carts/1?a=%zz' }).queryStringParameters).toEqual({ a: '%zz' });
  });

  test.each(['/carts/1', '/carts/1?'])('%s has null for each map that would be empty', (target) => {
    expect(eventOf({ target }, { pathParameters: new Map() })).toMatchObject({
      pathParameters: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      stageVariables: null,
    });
  });

  test('an absolute target, as clients send to a proxy, is read like its path', () => {
    const event = eventOf({ target: 'http://example.com/carts/1?a=1' });

    expect(event.path).toBe('/carts/1');
    expect(event.queryStringParameters).toEqual({ a: '1' });
  });
});

describe('body', () => {
  test('none is null', () => {
    expect(eventOf()).toMatchObject({ body: null, isBase64Encoded: false });
  });

  test('of valid UTF-8 is text', () => {
    expect(eventOf({ body: bytes('{"a":"é😀"}') })).toMatchObject({
      body: '{"a":"é😀"}',
      isBase64Encoded: false,
    });
  });

  test('keeps its byte order mark', () => {
    expect(eventOf({ body: bytes('\uFEFF{}') }).body).toBe('\uFEFF{}');
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a cut-off character', [0xf0, 0x9f, 0x98]],
  ])('of invalid UTF-8 (%s) is base64', (_what, invalid) => {
    const event = eventOf({ body: Uint8Array.from(invalid) });

    expect(event.isBase64Encoded).toBe(true);
    expect([...Buffer.from(event.body ?? '', 'base64')]).toEqual(invalid);
  });
});

test('the request context tells where the request came from, when, and for which resource', () => {
  const event = eventOf({ rawHeaders: ['user-AGENT', 'client/1'] });

  expect(event.resource).toBe('/carts/{cartId}');
  expect(event.requestContext).toMatchObject({
    domainName: '127.0.0.1',
    httpMethod: 'GET',
    identity: { sourceIp: '192.0.2.1', userAgent: 'client/1' },
    path: '/carts/1',
    protocol: 'HTTP/1.1',
    requestId: 'request-1',
    requestTime: '20/Nov/2026:09:05:00 +0000',
    requestTimeEpoch: Date.UTC(2026, 10, 20, 9, 5, 0),
    resourcePath: '/carts/{cartId}',
    stage: 'local',
  });
});

test('a client without a User-Agent has none', () => {
  expect(eventOf().requestContext.identity.userAgent).toBeNull();
});
