import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { readHeaders, repeatedHeaderIssues } from '../../../lib/http/request-headers.ts';

/** The headers of an event, as JSON, and the issues of those that are repeated. */
const read = (headers: unknown, multiValueHeaders?: unknown) => {
  const sent = readHeaders({ headers, multiValueHeaders } as APIGatewayProxyEvent);
  const repeated = repeatedHeaderIssues(sent.repeated).map(({ path }) => path);
  return { headers: JSON.stringify(sent.headers), repeated };
};

it.each([
  ['in any case', '{"AUTHORIZATION":"Bearer A","x-C":""}', '{"authorization":"Bearer A","x-c":""}'],
  [
    'that are special in JavaScript',
    '{"__PROTO__":"a","Constructor":"b"}',
    '{"__proto__":"a","constructor":"b"}',
  ],
  ['of no headers', 'null', '{}'],
  ['of missing headers', undefined, '{}'],
])('header names %s become lower case', (_, headers, expected) => {
  const parsed = headers && (JSON.parse(headers) as unknown);
  expect(read(parsed)).toStrictEqual({ headers: expected, repeated: [] });
  expect(read(parsed, null)).toStrictEqual({ headers: expected, repeated: [] });
});

describe('several lines of a header', () => {
  it.each([
    { 'If-None-Match': ['"a"', 'W/"b"', '"c"'] },
    { 'If-None-Match': ['"a"', 'W/"b"'], 'if-none-match': ['"c"'] },
    { 'if-none-match': ['"a", W/"b"', '"c"'] },
  ])('are one list, in their order: %j', (lines) => {
    expect(read({ 'If-None-Match': 'the last line' }, lines)).toStrictEqual({
      headers: JSON.stringify({ 'if-none-match': '"a", W/"b", "c"' }),
      repeated: [],
    });
  });

  it.each(['authorization', 'content-type', 'idempotency-key'])(
    'are an issue of a header that is no list, unless they are the same: %s',
    (name) => {
      const upper = name.toUpperCase();
      const last = JSON.stringify({ [name]: 'b' });
      expect(read({}, { [name]: ['a', 'b'] })).toStrictEqual({
        headers: last,
        repeated: [`headers.${name}`],
      });
      expect(read({ [upper]: 'a', [name]: 'b' })).toStrictEqual({
        headers: last,
        repeated: [`headers.${name}`],
      });
      expect(read({}, { [name]: ['b'], [upper]: ['b'] })).toStrictEqual({
        headers: last,
        repeated: [],
      });
    },
  );
});
