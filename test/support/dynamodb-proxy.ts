import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../infra/local/gateway/listen.ts';

/** One call to DynamoDB. */
export interface RecordedCall {
  /** Such as `GetItem`. */
  readonly operation: string;
  readonly table: string;
  /** Its JSON. */
  readonly body: string;
  isDone: boolean;
}

/** A proxy in front of a DynamoDB on this machine. */
export interface DynamodbProxy {
  readonly endpoint: string;
  /** The calls since the start or the last reset, in the order of arrival. */
  readonly calls: readonly RecordedCall[];
  /** Clears the list of calls. */
  reset(): void;
  /** Holds later calls. Default: all */
  hold(isHeld?: (call: RecordedCall) => boolean): void;
  /** Passes the held calls and all later ones. A held call whose caller has gone is lost. */
  release(): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const recordOf = ({ headers }: IncomingMessage, body: string): RecordedCall => {
  const { TableName: table = '' } = JSON.parse(body || '{}') as { TableName?: string };
  const operation = String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  return { operation, table, body, isDone: false };
};

/**
 * Starts a proxy that records, delays, holds or loses the calls to a DynamoDB.
 *
 * @param options.delayMs added to each call, before it is passed on
 * @param options.loses the operation whose responses get lost
 */
export const startDynamodbProxy = async (
  target: string,
  { delayMs = 0, loses = '' } = {},
): Promise<DynamodbProxy> => {
  let held = Promise.resolve();
  let isHeld = (_call: RecordedCall): boolean => true;
  let release = (): void => undefined;
  const agent = new Agent({ keepAlive: true });
  const calls: RecordedCall[] = [];

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const call = recordOf(incoming, body.toString());
    calls.push(call);
    await setTimeout(delayMs);
    if (isHeld(call)) await held;
    if (outgoing.destroyed) throw new Error('The caller has gone');
    const { method, url, headers } = incoming;
    const passed = request(`${target}${url}`, { method, headers, agent });
    passed.end(body);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    const responseBody = await buffer(response);
    call.isDone = true;
    if (call.operation === loses) throw new Error('The response is lost');
    outgoing.writeHead(response.statusCode ?? 502, response.headers).end(responseBody);
  };

  const server = createServer((incoming, outgoing) => {
    // If one side closes its connection, the proxy closes the other.
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const endpoint = `http://${HOST}:${await listen(server, HOST, 0)}`;
  return {
    endpoint,
    calls,
    reset: () => {
      calls.length = 0;
    },
    hold: (holds = () => true) => {
      const gate = Promise.withResolvers<void>();
      isHeld = holds;
      held = gate.promise;
      release = gate.resolve;
    },
    release: () => release(),
    close: async () => {
      release();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
};
