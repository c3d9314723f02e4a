import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../../lib/http/json-body.ts';
import type { Middleware } from '../../../lib/http/request-state.ts';

type Request = Parameters<NonNullable<Middleware['before']>>[0];

/** What the middleware makes of an event. */
const parse = (changes: object) => {
  const event = { headers: { 'content-type': 'application/json' }, isBase64Encoded: false, ...changes };
  const request = { event: event as unknown as APIGatewayProxyEvent, internal: {} } as unknown as Request;
  jsonBody().before?.(request);
  return { body: request.event.body, faults: request.internal.bodyIssues };
};

/** What it makes of a body that API Gateway hands over in base64, as it does for binary media types. */
const parseBase64 = (body: string | Uint8Array) =>
  parse({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true });

const fault = (message: string) => [{ path: '', message }];

describe('a body in base64', () => {
  it('is parsed as the text it stands for', () => {
    expect(parseBase64('{"name":"Zoë 🎈"}')).toStrictEqual({ body: { name: 'Zoë 🎈' }, faults: undefined });
  });

  it('is refused if its bytes are not UTF-8', () => {
    expect(parseBase64(Uint8Array.of(0x22, 0xff, 0x22)).faults).toStrictEqual(fault('Must be valid UTF-8'));
  });

  it('is refused if it begins with a byte order mark', () => {
    expect(parseBase64(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)).faults).toStrictEqual(
      fault('Must be valid JSON, without a member that would set a prototype'),
    );
  });

  it('is refused if it is no JSON', () => {
    expect(parseBase64('{').faults).toStrictEqual(
      fault('Must be valid JSON, without a member that would set a prototype'),
    );
  });

  it('is measured by its bytes, not by its base64', () => {
    const ofBytes = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
    expect(parseBase64(ofBytes(131_072)).faults).toBeUndefined();
    expect(parseBase64(ofBytes(131_073)).faults).toStrictEqual(fault('Must have at most 131072 bytes'));
  });
});

describe('a body of text', () => {
  it('is parsed', () => {
    expect(parse({ body: '{"name":"Zoë 🎈"}' })).toStrictEqual({
      body: { name: 'Zoë 🎈' },
      faults: undefined,
    });
  });

  it('is refused if it holds half of a surrogate pair, which is nothing in UTF-8', () => {
    expect(parse({ body: '"\ud83d"' }).faults).toStrictEqual(fault('Must be valid UTF-8'));
  });
});

describe('no body', () => {
  it.each([null, undefined, ''])('is refused as that, not as JSON that is not valid: %j', (body) => {
    for (const isBase64Encoded of [false, true])
      expect(parse({ body, isBase64Encoded }).faults).toStrictEqual(fault('A JSON body is required'));
  });
});

describe('the content type', () => {
  const issuesOf = (type: string | undefined) =>
    parse({ body: '{}', headers: { 'content-type': type } }).faults;

  it.each([' application/json', 'application/json ;charset=utf-8', 'application/a-b_c.v1+json'])(
    'is one of JSON: %j',
    (type) => {
      expect(issuesOf(type)).toBeUndefined();
    },
  );

  it.each([
    undefined,
    '',
    'json',
    'x-application/json',
    'xapplication/json',
    'text/plain; application/json',
    'application/+json',
    'application/jsonp',
    'text/json',
  ])('is none of JSON: %j', (type) => {
    expect(issuesOf(type)).toStrictEqual(fault('Content-Type must be application/json'));
  });
});
