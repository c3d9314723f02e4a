import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../../lib/http/json-body.ts';
import type { Middleware } from '../../../lib/http/request-state.ts';

type Request = Parameters<NonNullable<Middleware['before']>>[0];

/** What the middleware makes of a body that API Gateway hands over in base64, as it does for binary media types. */
const parseBase64 = (body: string | Uint8Array) => {
  const event = {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  } as unknown as APIGatewayProxyEvent;
  const request = { event, internal: {} } as unknown as Request;
  jsonBody().before?.(request);
  return { body: request.event.body, faults: request.internal.bodyFaults };
};

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
