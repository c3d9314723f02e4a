import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { respondMalformed } from '../../../infra/local/gateway/malformed.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { assertKeepsContract, OPERATIONS } from '../../support/contract.ts';
import { exchangeBytes, givenGateway } from '../local/gateway/client.ts';

/** Expects raw bytes to be an answer of this status that keeps the contract, which also counts it as seen. */
const expectResponseOf = (
  { method, path }: { readonly method: string; readonly path: string },
  bytes: string,
  status: number,
): void => {
  const [head = '', bodyText = ''] = bytes.split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  expect(statusLine).toContain(` ${status} `);
  assertKeepsContract(method, path.replace('{cartId}', '1'), {
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

describe.each(OPERATIONS)(
  'what the gateway itself answers to $operationId keeps the contract',
  (operation) => {
    const start = `${operation.method} ${operation.path.replace('{cartId}', '1')} HTTP/1.1\r\nConnection: close\r\n`;

    test.each<[number, string, string]>([
      [400, 'a request without a host', ''],
      [431, 'headers that are too large', `Host: h\r\nX-Large: ${'x'.repeat(20_000)}\r\n`],
      [413, 'a body that is too large', `Host: h\r\nContent-Length: ${11 * 1_024 * 1_024}\r\n`],
    ])('%i: %s', async (status, _what, headers) => {
      const gateway = await givenGateway();

      expectResponseOf(operation, await exchangeBytes(gateway, `${start}${headers}\r\n`), status);
    });

    test('408: a request that does not end', async () => {
      const socket = new PassThrough();
      const timeout = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

      respondMalformed(timeout, socket, 'request-1');

      expectResponseOf(operation, await text(socket), 408);
    });

    test.each<[number, string, ProxyFunction]>([
      [500, 'a function that breaks', broken],
      [504, 'a function that does not answer', silent],
    ])('%i: %s', async (status, _what, handler) => {
      const handlers = { 'create-cart-checkout': handler, 'get-cart': handler };
      const gateway = await givenGateway(handlers, { functionTimeoutMs: 20, reportFailure: () => undefined });

      expectResponseOf(operation, await exchangeBytes(gateway, `${start}Host: h\r\n\r\n`), status);
    });
  },
);
