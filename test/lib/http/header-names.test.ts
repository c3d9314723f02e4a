import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { lowerCaseHeaderNames } from '../../../lib/http/header-names.ts';

type Request = Parameters<NonNullable<ReturnType<typeof lowerCaseHeaderNames>['before']>>[0];

/** The names and values of the headers as the next middlewares see them. */
const normalized = async (headers: object | null | undefined): Promise<unknown> => {
  const event = { headers } as APIGatewayProxyEvent;
  await lowerCaseHeaderNames().before?.({ event } as Request);
  return Object.entries(event.headers);
};

describe('header names', () => {
  it.each([
    [
      'in any case',
      { AUTHORIZATION: 'Bearer A', 'x-C': '' },
      [
        ['authorization', 'Bearer A'],
        ['x-c', ''],
      ],
    ],
    [
      'that differ only in case',
      { Authorization: 'first', authorization: 'last' },
      [['authorization', 'last']],
    ],
    [
      'of JavaScript',
      JSON.parse('{"__PROTO__":"a","Constructor":"b"}') as object,
      [
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ],
    ],
    ['of no headers', null, []],
    ['of missing headers', undefined, []],
  ])('%s are in lower case, and the last value counts', async (_, headers, expected) => {
    expect(await normalized(headers)).toStrictEqual(expected);
  });
});
