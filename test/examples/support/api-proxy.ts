import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How much of a response reaches the client. */
export type Delivery = 'whole' | 'half' | 'nothing';

/** A request that passed through the proxy, and the status of its response. */
export interface PassedRequest {
  readonly method: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly status: number;
}

const PASSED_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'retry-after', 'x-request-id'];

const passedHeaders = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    PASSED_HEADERS.filter((name) => name in headers).map((name) => [name, String(headers[name])]),
  );

const open = new Set<Server>();

/** Closes every proxy; for `afterAll`. */
export const closeApiProxies = (): void => {
  for (const server of open) {
    server.close();
    server.closeAllConnections();
  }
};

/**
 * Passes requests to a stage, and records them in the order of their responses.
 *
 * @param decide called before each request, with its number from 0
 */
export const givenApiProxy = async (
  target: string,
  decide: (index: number) => Delivery | Promise<Delivery> = () => 'whole',
): Promise<{ readonly baseUrl: string; readonly requests: readonly PassedRequest[] }> => {
  const requests: PassedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const { method, url = '', headers } = incoming;
      const sent = await buffer(incoming);
      const delivery = await decide(requests.length);
      const body = sent.length > 0 ? new Uint8Array(sent) : null;
      const response = await fetch(target + url, {
        method: method ?? '',
        headers: passedHeaders(headers),
        body,
      });
      const received = Buffer.from(await response.arrayBuffer());
      const idempotencyKey = headers['idempotency-key']?.toString();
      requests.push({ method, idempotencyKey, status: response.status });
      if (delivery === 'nothing') throw new Error('The response is lost');
      const length = { 'Content-Length': received.length };
      outgoing.writeHead(response.status, {
        ...passedHeaders(Object.fromEntries(response.headers)),
        ...length,
      });
      if (delivery === 'whole') outgoing.end(received);
      else outgoing.write(received.subarray(0, received.length / 2), () => outgoing.destroy());
    };
    pass().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.add(server);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};
