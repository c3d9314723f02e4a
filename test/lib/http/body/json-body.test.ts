import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { parseJsonBody } from '../../../../lib/http/body/json-body.ts';

/** The parsed body of an event, or its issue. */
const parse = (changes: object) => {
  const headers = { 'content-type': 'application/json' };
  const event = { headers, isBase64Encoded: false, ...changes } as unknown as APIGatewayProxyEvent;
  const { body, issues } = parseJsonBody(event);
  if (!issues) return { body };
  expect(issues).toHaveLength(1);
  const [{ path, message } = { path: '', message: '' }] = issues;
  return { issue: path === '' ? message : `${path}: ${message}` };
};

const base64 = (body: string | Uint8Array) => ({
  body: Buffer.from(body).toString('base64'),
  isBase64Encoded: true,
});

const NOT_JSON = 'Must be valid JSON:';
const PARSED = { body: { name: 'Zoë 🎈' } };

describe('a JSON body', () => {
  it.each([
    ['text', { body: '{"name":"Zoë 🎈"}' }, PARSED],
    ['base64', base64('{"name":"Zoë 🎈"}'), PARSED],
    ['half of a surrogate pair', { body: '"\ud83d"' }, { issue: 'Must be valid UTF-8' }],
    ['base64 that is not UTF-8', base64(Uint8Array.of(0x22, 0xff, 0x22)), { issue: 'Must be valid UTF-8' }],
    ['text after a byte order mark', { body: '\ufeff{}' }, { body: {} }],
    ['base64 of a byte order mark', base64(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)), { body: {} }],
    [
      'two byte order marks',
      { body: '\ufeff\ufeff{}' },
      { issue: `${NOT_JSON} unexpected U+FEFF at position 0` },
    ],
    ['malformed JSON', { body: '{' }, { issue: `${NOT_JSON} it ends too early, at position 1` }],
    [
      'a prototype',
      { body: '{"__proto__":{}}' },
      { issue: 'Must have no field __proto__ or constructor.prototype' },
    ],
    ['no body', { body: null }, { issue: 'A JSON body is required' }],
    ['an undefined body', { body: undefined }, { issue: 'A JSON body is required' }],
    ['an empty body in base64', base64(''), { issue: 'A JSON body is required' }],
  ])('is parsed, or has one issue: %s', (_, event, expected) => {
    expect(parse(event)).toStrictEqual(expected);
  });

  it('may have 128 KiB, measured in bytes and not in base64 or characters', () => {
    const ofBytes = (bytes: number): string => `"${'é'.repeat((bytes - 2) / 2)}"`;
    for (const encode of [base64, (body: string) => ({ body })]) {
      expect(parse(encode(ofBytes(131_072)))).not.toHaveProperty('issue');
      const issue = 'Must have at most 131072 bytes';
      expect(parse(encode(ofBytes(131_074)))).toStrictEqual({ issue });
      expect(parse(encode(`${ofBytes(131_072)} `))).toStrictEqual({ issue });
    }
  });
});

it('a body has at most 1,000 tokens, and is not parsed if it has more', () => {
  const parsing = vi.spyOn(JSON, 'parse');
  const issue = 'Must have at most 1000 JSON tokens';
  for (const value of ['0', '"a"', '"\\"[]"', 'null', ' -1.5e3\t']) {
    // Four brackets, and a comma before each value.
    expect(parse({ body: `[[]${`,${value}`.repeat(498)}]` }), value).toHaveProperty('body');
    parsing.mockClear();
    expect(parse({ body: `[[],[]${`,${value}`.repeat(497)}]` }), value).toStrictEqual({ issue });
    expect(parsing).not.toHaveBeenCalled();
  }
  expect(parse({ body: '{}'.repeat(501) })).toStrictEqual({ issue });
  expect(parse({ body: '"' + '[]'.repeat(1_000) })).toStrictEqual({
    issue: `${NOT_JSON} it ends too early, at position 2001`,
  });
});

it('a compressed body is rejected, and plain JSON with any Content-Encoding is parsed', () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect(parse({ ...base64(gzipSync('{}')), headers })).toStrictEqual({
    issue: 'headers.content-encoding: The body must not be compressed: send it without Content-Encoding',
  });
  expect(parse({ ...base64('{}'), headers })).toStrictEqual({ body: {} });
});

describe('the content type', () => {
  const bodyOf = (type: string | undefined) => parse({ body: '{}', headers: { 'content-type': type } });

  it.each([
    ' application/json',
    'APPLICATION/JSON',
    'application/json ;charset=utf-8',
    'application/a-b_c.v1+json',
  ])('%j is JSON', (type) => {
    expect(bodyOf(type)).toStrictEqual({ body: {} });
  });

  const OTHERS =
    'json|x-application/json|xapplication/json|text/plain; application/json|application/+json|application/jsonp|text/json';

  it.each([undefined, '', ...OTHERS.split('|')])('%j is not JSON', (type) => {
    const not = type?.startsWith('text/plain') === true ? ', not text/plain' : '';
    const issue = `headers.content-type: Content-Type must be application/json${not}`;
    expect(bodyOf(type)).toStrictEqual({ issue });
  });
});
