import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { lowerCaseHeaderNames } from '../../../lib/http/header-names.ts';

type Request = Parameters<NonNullable<ReturnType<typeof lowerCaseHeaderNames>['before']>>[0];

it.each([
  ['in any case', '{"AUTHORIZATION":"Bearer A","x-C":""}', '{"authorization":"Bearer A","x-c":""}'],
  [
    'that differ only in case',
    '{"Authorization":"first","authorization":"last"}',
    '{"authorization":"last"}',
  ],
  [
    'that are special in JavaScript',
    '{"__PROTO__":"a","Constructor":"b"}',
    '{"__proto__":"a","constructor":"b"}',
  ],
  ['of no headers', 'null', '{}'],
  ['of missing headers', undefined, '{}'],
])('header names %s become lower case, and the last value counts', async (_, headers, expected) => {
  const event = { headers: headers && (JSON.parse(headers) as unknown) } as APIGatewayProxyEvent;
  await lowerCaseHeaderNames().before?.({ event } as Request);
  expect(JSON.stringify(event.headers)).toBe(expected);
});
