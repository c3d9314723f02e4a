import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { createRandom } from '../../tools/faults/requests/random.ts';

/** How much of a response reaches the client. `unsent`: the request does not reach the stage. */
type Delivery = 'whole' | 'half' | 'nothing' | 'unsent';

/** A request that passed through the proxy, and the status of its response. */
interface PassedRequest {
  readonly method: string | undefined;
  readonly idempotencyKey: string | string[] | undefined;
  readonly status: number | undefined;
}

/** Cuts this share of the connections, in all the ways. A seed repeats the cuts. */
export const cutAtRandom = (seed: number, share: number): (() => Delivery) => {
  const random = createRandom(seed);
  const cuts: readonly Delivery[] = ['half', 'nothing', 'unsent'];
  return () => (random.chance(share) ? random.any(cuts)! : 'whole');
};

const open = new Set<Server>();

/** Closes every proxy; for `afterAll`. */
export const closeApiProxies = (): void => {
  for (const server of open) server.close().closeAllConnections();
};

/**
 * Passes requests to a stage, and records them in the order of their responses.
 *
 * @param decide called before each request, with its number from 0
 * @param change changes the body of each response
 */
export const givenApiProxy = async (
  target: string,
  decide: (index: number) => Delivery | Promise<Delivery> = () => 'whole',
  change = (body: Buffer): Buffer => body,
): Promise<{ readonly baseUrl: string; readonly requests: readonly PassedRequest[] }> => {
  const requests: PassedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const { method, url = '', headers } = incoming;
      const delivery = await decide(requests.length);
      if (delivery === 'unsent') throw new Error('The request is lost');
      const passed = incoming.pipe(request(target + url, { method, headers }));
      const [response] = (await once(passed, 'response')) as [IncomingMessage];
      const body = change(await buffer(response));
      requests.push({ method, idempotencyKey: headers['idempotency-key'], status: response.statusCode });
      if (delivery === 'nothing') throw new Error('The response is lost');
      const length = { 'content-length': body.length };
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, ...length });
      if (delivery === 'whole') outgoing.end(body);
      else outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
    };
    pass().catch(() => outgoing.destroy());
  });
  const port = await listen(server, '127.0.0.1', 0);
  open.add(server);
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
};
