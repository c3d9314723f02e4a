import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';

/**
 * A response of a scripted API. `cut`: the connection breaks. `hang`: no response arrives. `hints`: an interim response with the
 * status 103 comes first.
 */
export type ScriptedResponse =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object | string;
      readonly hints?: true;
    }
  | 'cut'
  | 'hang';

/** Starts an API that gives these responses in turn, then the last one again and again. It ends with the test. */
export const givenResponses = async (
  ...responses: readonly ScriptedResponse[]
): Promise<{
  readonly baseUrl: string;
  readonly requests: readonly IncomingMessage[];
  /** The connections so far. */
  readonly connections: readonly Socket[];
}> => {
  const requests: IncomingMessage[] = [];
  const connections: Socket[] = [];
  const server = createServer((request, outgoing) => {
    const response = responses[Math.min(requests.length, responses.length - 1)]!;
    requests.push(request);
    if (response === 'hang') return;
    if (response === 'cut') {
      request.destroy();
      return;
    }
    const { status, headers = {}, body = '', hints } = response;
    if (hints) outgoing.writeEarlyHints({ link: '</style.css>; rel=preload' });
    outgoing.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.on('connection', (socket: Socket) => connections.push(socket));
  const port = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => server.close().closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${port}`, requests, connections };
};
