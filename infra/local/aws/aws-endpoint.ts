import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { isAllowedHost } from '../gateway/foreign-requests.ts';
import { listen } from '../gateway/listen.ts';
import { AwsActionError, type AwsActions } from './aws-actions.ts';

const HOST = '127.0.0.1';

/** Longer than the idle timeout of the SDK's connections. Otherwise, a call could start while its connection ends. */
const KEEP_ALIVE_TIMEOUT_MS = 60_000;

/** Whether a client of AWS sent a request. A web page cannot send these headers: the endpoint grants no preflight. */
const isClientCall = ({ method, headers }: http.IncomingMessage): boolean =>
  method === 'POST' &&
  isAllowedHost(headers.host ?? '') &&
  /^application\/x-amz-json-1\.[01]$/.test(headers['content-type'] ?? '') &&
  headers['x-amz-target'] !== undefined &&
  headers.origin === undefined &&
  !Object.keys(headers).some((name) => name.startsWith('sec-fetch-'));

const respond = (outgoing: http.ServerResponse, status: number, body: object): void => {
  outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
};

const respondError = (outgoing: http.ServerResponse, status: number, name: string, message: string): void =>
  respond(outgoing, status, { __type: `com.amazon.coral.service#${name}`, message });

/** Makes a call of SQS or EventBridge. */
const act = async (
  actions: AwsActions,
  target: string,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> => {
  try {
    respond(outgoing, 200, await actions(target, JSON.parse(await text(incoming)) as object));
  } catch (error) {
    if (error instanceof AwsActionError) respondError(outgoing, 400, error.name, error.message);
    // The client then retries.
    else respondError(outgoing, 500, 'InternalFailure', String(error));
  }
};

/** The endpoint of the stage's DynamoDB, SQS and EventBridge. */
interface AwsEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the stage's DynamoDB, queues and bus at a free port, for the functions and for other processes of this machine.
 * It rejects the requests of browsers. It checks no credentials.
 *
 * @param dynamodb the address of the DynamoDB, which itself lets every web page read and change the data
 */
export const startAwsEndpoint = async (dynamodb: string, actions: AwsActions): Promise<AwsEndpoint> => {
  const { Agent, request } = dynamodb.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });

  const forward = (incoming: http.IncomingMessage, outgoing: http.ServerResponse): void => {
    const call = request(dynamodb, { agent, method: 'POST', headers: incoming.headers });
    call.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
      response.once('error', () => outgoing.destroy());
    });
    // The client then sees a lost connection, as it would without this endpoint.
    call.once('error', () => outgoing.destroy());
    outgoing.once('close', () => call.destroy());
    incoming.pipe(call);
  };

  const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (incoming, outgoing) => {
    const target = String(incoming.headers['x-amz-target']);
    if (!isClientCall(incoming)) {
      respondError(outgoing, 403, 'AccessDeniedException', 'Only AWS clients of this machine, no browser');
      incoming.resume();
    } else if (/^DynamoDB(?:Streams)?_\d{8}\./.test(target)) forward(incoming, outgoing);
    else void act(actions, target, incoming, outgoing);
  });
  const url = `http://${HOST}:${await listen(server, HOST, 0)}`;
  return {
    url,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
};
