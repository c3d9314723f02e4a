import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { lowerCaseHeaderNames, repeatedHeaderIssues } from '../../../lib/http/header-names.ts';
import type { RequestState } from '../../../lib/http/request-state.ts';

type Request = Parameters<NonNullable<ReturnType<typeof lowerCaseHeaderNames>['before']>>[0];

/** The headers after the middleware, as JSON, and the headers that it found repeated. */
const read = async (headers: unknown, multiValueHeaders?: unknown) => {
  const event = { headers, multiValueHeaders } as APIGatewayProxyEvent;
  const internal: RequestState = {};
  await lowerCaseHeaderNames().before?.({ event, internal } as Request);
  const repeated = repeatedHeaderIssues(internal).map(({ path }) => path);
  return { headers: JSON.stringify(event.headers), repeated };
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
])('header names %s become lower case', async (_, headers, expected) => {
  const parsed = headers && (JSON.parse(headers) as unknown);
  expect(await read(parsed)).toStrictEqual({ headers: expected, repeated: [] });
  expect(await read(parsed, null)).toStrictEqual({ headers: expected, repeated: [] });
});

describe('several lines of a header', () => {
  it.each([
    { 'If-None-Match': ['"a"', 'W/"b"', '"c"'] },
    { 'If-None-Match': ['"a"', 'W/"b"'], 'if-none-match': ['"c"'] },
    { 'if-none-match': ['"a", W/"b"', '"c"'] },
  ])('are one list, in their order: %j', async (lines) => {
    expect(await read({ 'If-None-Match': 'the last line' }, lines)).toStrictEqual({
      headers: JSON.stringify({ 'if-none-match': '"a", W/"b", "c"' }),
      repeated: [],
    });
  });

  it.each(['authorization', 'content-type', 'idempotency-key'])(
    'are an issue of a header that is no list, unless they are the same: %s',
    async (name) => {
      const upper = name.toUpperCase();
      const last = JSON.stringify({ [name]: 'b' });
      expect(await read({}, { [name]: ['a', 'b'] })).toStrictEqual({
        headers: last,
        repeated: [`headers.${name}`],
      });
      expect(await read({ [upper]: 'a', [name]: 'b' })).toStrictEqual({
        headers: last,
        repeated: [`headers.${name}`],
      });
      expect(await read({}, { [name]: ['b'], [upper]: ['b'] })).toStrictEqual({
        headers: last,
        repeated: [],
      });
    },
  );
});
