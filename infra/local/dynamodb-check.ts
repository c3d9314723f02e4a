import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { namesThisMachine } from './gateway/foreign-requests.ts';
import { listen } from './gateway/listen.ts';

const HOST = '127.0.0.1';

/** Longer than the idle timeout of the SDK's connections. Otherwise, a call could start while its connection ends. */
const KEEP_ALIVE_TIMEOUT_MS = 60_000;

const REJECTION = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message: 'Only a DynamoDB client of this machine may call this address, and no browser',
});

/** Whether a DynamoDB client sent a request, and not a web page in a browser. */
const isClientCall = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  namesThisMachine(headers.host ?? '') &&
  headers['content-type'] === 'application/x-amz-json-1.0' &&
  /^DynamoDB(?:Streams)?_\d{8}\./.test(String(headers['x-amz-target'] ?? '')) &&
  headers.origin === undefined &&
  !Object.keys(headers).some((name) => name.startsWith('sec-fetch-'));

/** A guarded address of the embedded DynamoDB. */
export interface DynamodbCheck {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Serves the embedded DynamoDB at a free port, for other processes of this machine. It rejects the requests of browsers:
 * the emulator itself lets every web page read and change the data.
 *
 * @param target the emulator's own address
 */
export const startDynamodbCheck = async (target: string): Promise<DynamodbCheck> => {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { headers } = incoming;
    const call = request({ hostname, port, agent, method: 'POST', path: '/', headers });
    call.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
      response.once('error', () => outgoing.destroy());
    });
    // The client then sees a lost connection, as it would without the check.
    call.once('error', () => outgoing.destroy());
    outgoing.once('close', () => call.destroy());
    incoming.pipe(call);
  };

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (incoming, outgoing) => {
    if (isClientCall(incoming)) return forward(incoming, outgoing);
    outgoing.writeHead(403, { 'Content-Type': 'application/x-amz-json-1.0' }).end(REJECTION);
    incoming.resume();
  });
  const endpoint = `http://${HOST}:${await listen(server, HOST, 0)}`;
  return {
    endpoint,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
};
