import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { lowerCaseHeaderNames } from '../../../lib/http/header-names.ts';

/** The headers as the middlewares after this one see them. */
const normalized = async (headers: object | null | undefined): Promise<unknown> => {
  const event = { headers } as unknown as APIGatewayProxyEvent;
  type Request = Parameters<NonNullable<ReturnType<typeof lowerCaseHeaderNames>['before']>>[0];
  await lowerCaseHeaderNames().before?.({ event } as unknown as Request);
  return event.headers;
};

describe('header names', () => {
  it('are in lower case, whatever case the client wrote, and the values stay', async () => {
    expect(await normalized({ AUTHORIZATION: 'Bearer A', 'content-Type': 'B', 'x-c': '' })).toStrictEqual({
      authorization: 'Bearer A',
      'content-type': 'B',
      'x-c': '',
    });
  });

  it('that differ only in case have the value of the last', async () => {
    expect(await normalized({ Authorization: 'first', authorization: 'last' })).toStrictEqual({
      authorization: 'last',
    });
  });

  it('that are names of JavaScript are data like any other', async () => {
    const headers = JSON.parse('{"__PROTO__":"a","Constructor":"b"}') as object;
    const seen = await normalized(headers);
    expect(Object.entries(seen as object)).toStrictEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it('are none where the event has no headers', async () => {
    expect(await normalized(null)).toStrictEqual({});
    expect(await normalized(undefined)).toStrictEqual({});
  });
});
