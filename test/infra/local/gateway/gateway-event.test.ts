import { describe, expect, test } from 'vitest';
import {
  toGatewayEvent,
  type GatewayFacts,
  type HttpRequest,
} from '../../../../infra/local/gateway/gateway-event.ts';
import { createLambdaContext } from '../../../../infra/local/gateway/invocation.ts';

const eventOf = (request: Partial<HttpRequest> = {}, facts: Partial<GatewayFacts> = {}) =>
  toGatewayEvent(
    {
      method: 'GET',
      target: '/carts/1',
      rawHeaders: [],
      body: new Uint8Array(),
      sourceIp: '192.0.2.1',
      ...request,
    },
    {
      resource: '/carts/{cartId}',
      pathParameters: new Map([['cartId', '1']]),
      requestId: 'request-1',
      receivedAtMs: Date.UTC(2026, 10, 20, 9, 5, 0),
      ...facts,
    },
  );

test('headers keep the casing of the client', () => {
  const sent = ['CONTENT-TYPE', 'a/b', 'x-Trace', 'a'];

  expect(eventOf({ rawHeaders: sent }).headers).toEqual({ 'CONTENT-TYPE': 'a/b', 'x-Trace': 'a' });
});

test('a repeated header has its last value, and all values in the multi-value map, whatever its casing', () => {
  const event = eventOf({ rawHeaders: ['Accept', 'a', 'ACCEPT', 'b', 'accept', 'c'] });

  expect(event.headers).toEqual({ Accept: 'c' });
  expect(event.multiValueHeaders).toEqual({ Accept: ['a', 'b', 'c'] });
});

describe('path and query', () => {
  test.each(['', 'http://127.0.0.1:3000', 'HTTPS://h'])(
    'the path stays encoded, and the parameters are decoded, after "%s"',
    (origin) => {
      const target = `${origin}/carts/a%2Fb?a=1&b=%C3%A9&a=2&flag&c=%zz`;
      const event = eventOf({ target }, { pathParameters: new Map([['cartId', 'a/b']]) });

      expect(event.path).toBe('/carts/a%2Fb');
      expect(event.pathParameters).toEqual({ cartId: 'a/b' });
      expect(event.queryStringParameters).toEqual({ a: '2', b: 'é', flag: '', c: '%zz' });
      expect(event.multiValueQueryStringParameters).toEqual({
        a: ['1', '2'],
        b: ['é'],
        flag: [''],
        c: ['%zz'],
      });
    },
  );

  test.each(['/carts/1', '/carts/1?', '/carts/1?&'])(
    '%s has null for each map that would be empty',
    (target) => {
      expect(eventOf({ target }, { pathParameters: new Map() })).toMatchObject({
        pathParameters: null,
        queryStringParameters: null,
        multiValueQueryStringParameters: null,
        stageVariables: null,
      });
    },
  );
});

describe('the body', () => {
  test.each([
    ['none', '', null],
    ['valid UTF-8', '{"a":"é😀"}', '{"a":"é😀"}'],
    ['a byte order mark', '\uFEFF{}', '\uFEFF{}'],
  ])('%s is text', (_what, sent, body) => {
    expect(eventOf({ body: Buffer.from(sent) })).toMatchObject({ body, isBase64Encoded: false });
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an incomplete character', [0xf0, 0x9f, 0x98]],
  ])('of invalid UTF-8 (%s) is base64', (_what, invalid) => {
    const body = Buffer.from(invalid).toString('base64');

    expect(eventOf({ body: Uint8Array.from(invalid) })).toMatchObject({ body, isBase64Encoded: true });
  });
});

test('the request context has the sender, the time and the resource', () => {
  const event = eventOf();

  expect(event.resource).toBe('/carts/{cartId}');
  expect(event.requestContext).toEqual({
    httpMethod: 'GET',
    identity: { sourceIp: '192.0.2.1' },
    path: '/carts/1',
    requestId: 'request-1',
    requestTimeEpoch: Date.UTC(2026, 10, 20, 9, 5, 0),
    resourcePath: '/carts/{cartId}',
    stage: 'local',
  });
});

test('the context names the invocation, and its remaining time never falls below zero', () => {
  let nowMs = Date.UTC(2026, 10, 20);
  const invocation = { functionName: 'get-cart', awsRequestId: 'invocation-1', timeoutMs: 6_000 };
  const context = createLambdaContext({ ...invocation, now: () => nowMs });

  expect(context).toMatchObject({ functionName: 'get-cart', awsRequestId: 'invocation-1' });
  const remaining = [0, 4_500, 4_500].map((ms) => {
    nowMs += ms;
    return context.getRemainingTimeInMillis();
  });
  expect(remaining).toEqual([6_000, 1_500, 0]);
});
