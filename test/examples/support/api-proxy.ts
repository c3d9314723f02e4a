import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How far an answer gets back to the client: whole, not at all, or cut in the middle of its body. */
export type Delivery = 'whole' | 'nothing' | 'half';

/** One request as it passed. Times are in milliseconds of `performance.now()`. */
export interface RecordedRequest {
  readonly method: string;
  readonly idempotencyKey: string | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly status: number;
  readonly retryAfterSeconds: number;
}

/** A proxy in front of a stage. */
export interface ApiProxy {
  readonly baseUrl: string;
  /** In the order in which they were answered. */
  readonly requests: readonly RecordedRequest[];
}

const HOST = '127.0.0.1';

const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** What belongs to one connection, and not to what is passed over it (RFC 9110, 7.6.1). */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

const passedHeaders = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !CONNECTION_HEADERS.has(name)));

const deliver = (delivery: Delivery, answer: Response, body: Buffer, outgoing: ServerResponse): void => {
  const { socket } = outgoing;
  if (delivery === 'nothing') {
    socket?.destroy();
    return;
  }
  outgoing.writeHead(answer.status, { ...passedHeaders(answer.headers), 'Content-Length': body.length });
  if (delivery === 'whole') outgoing.end(body);
  else outgoing.write(body.subarray(0, body.length / 2), () => socket?.destroy());
};

const open = new Set<Server>();

/** Closes the proxies that this test file has opened; for `afterAll`. */
export const closeApiProxies = (): void => {
  for (const server of open) {
    server.close();
    server.closeAllConnections();
  }
};

/**
 * Passes requests on to a stage and records them.
 *
 * @param decide called with each request's number, from 0, before it is passed on
 */
export const givenApiProxy = async (
  target: string,
  decide: (index: number) => Delivery | Promise<Delivery>,
): Promise<ApiProxy> => {
  const requests: RecordedRequest[] = [];
  let count = 0;

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const startedAtMs = performance.now();
    const { method = '', url = '', headers } = incoming;
    const sent = await readBody(incoming);
    const delivery = await decide(count++);
    const body = sent.length > 0 ? new Uint8Array(sent) : null;
    const answer = await fetch(target + url, {
      method,
      headers: passedHeaders(new Headers(headers as Record<string, string>)),
      body,
    });
    const received = Buffer.from(await answer.arrayBuffer());
    requests.push({
      method,
      idempotencyKey: headers['idempotency-key'] as string | undefined,
      startedAtMs,
      endedAtMs: performance.now(),
      status: answer.status,
      retryAfterSeconds: Number(answer.headers.get('retry-after')),
    });
    deliver(delivery, answer, received, outgoing);
  };

  const server = createServer((incoming, outgoing) => {
    // The client went away, or the stage: the other side must notice.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  open.add(server);
  return { baseUrl: `http://${HOST}:${(server.address() as AddressInfo).port}`, requests };
};
