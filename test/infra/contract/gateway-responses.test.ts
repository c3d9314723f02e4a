import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { PUBLIC_OPERATIONS } from '../../../infra/contract/contracts.ts';
import { respondMalformed } from '../../../infra/local/gateway/malformed-requests.ts';
import { errorResponse } from '../../../infra/local/gateway/response.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { assertKeepsContract } from '../../support/contract/contract.ts';
import { exchangeBytes, givenGateway } from '../../support/http/gateway-client.ts';

/** Expects raw bytes to be a response of this status that keeps the contract, and records it as seen. */
const expectResponse = (method: string, path: string, bytes: string, status: number): void => {
  const [head = '', bodyText = ''] = bytes.split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  expect(statusLine).toContain(` ${status} `);
  assertKeepsContract(method, path, {
    status,
    headers: Object.fromEntries(headers),
    body: JSON.parse(bodyText) as Record<string, unknown>,
    bodyText,
  });
};

const silent: ProxyFunction = () => new Promise(() => undefined);

const broken: ProxyFunction = async () => {
  throw new Error('broken');
};

describe.each(PUBLIC_OPERATIONS)(
  "the gateway's own responses to $operationId keep the contract",
  ({ method, path: template, functionName }) => {
    const path = template.replaceAll(/\{\w+\}/g, '1');
    const start = `${method} ${path} HTTP/1.1\r\nConnection: close\r\n`;

    test.each([
      [400, 'a request without a host', ''],
      [431, 'headers that are too large', `Host: localhost\r\nX-Large: ${'x'.repeat(20_000)}\r\n`],
      [413, 'a body that is too large', `Host: localhost\r\nContent-Length: ${11 * 1_024 * 1_024}\r\n`],
    ])('%i: %s', async (status, _cause, headers) => {
      const gateway = await givenGateway();

      expectResponse(method, path, await exchangeBytes(gateway, `${start}${headers}\r\n`), status);
    });

    test('414: a path that is too long', async () => {
      const gateway = await givenGateway();
      const long = `${method} ${path.padEnd(1_401, '1')} HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n`;

      expectResponse(method, path, await exchangeBytes(gateway, long), 414);
    });

    test('408: a request that does not end', async () => {
      const socket = new PassThrough();
      const timeout = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

      respondMalformed(timeout, socket, 'request-1', 'http://127.0.0.1:3000');

      expectResponse(method, path, await text(socket), 408);
    });

    // Functions end after 6 s, and the local gateway has no other limit.
    test('504: no response within the 29 s of API Gateway', () => {
      const { status, headers, body } = errorResponse(
        API_ERRORS.integrationTimeout,
        'request-1',
        'http://127.0.0.1:3000',
      );
      const lines = headers.map(([name, value]) => `${name}: ${value}`);

      expectResponse(method, path, [`HTTP/1.1 ${status} `, ...lines, '', String(body)].join('\r\n'), 504);
    });

    test.each([
      [502, 'a function that throws', broken],
      [502, 'a function that does not respond', silent],
    ])('%i: %s', async (status, _cause, handler) => {
      const handlers = { [functionName]: handler };
      const gateway = await givenGateway(handlers, { functionTimeoutMs: 20, reportFailure: () => undefined });

      expectResponse(method, path, await exchangeBytes(gateway, `${start}Host: localhost\r\n\r\n`), status);
    });
  },
);
