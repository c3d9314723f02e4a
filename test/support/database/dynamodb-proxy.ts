import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../../infra/local/gateway/listen.ts';

/** One call to DynamoDB. */
export interface RecordedCall {
  /** Such as `GetItem`. */
  readonly operation: string;
  readonly table: string;
  /** Its JSON. */
  readonly body: string;
  /** 1, or more if the SDK repeats the call. */
  readonly attempt: number;
  isDone: boolean;
}

/**
 * The end of a call that takes effect. `forwarded`: its response arrives. `cut`: the connection ends within the response.
 * `lost`: it ends before the response. `silent`: it stays open without one.
 */
export type Fate = 'forwarded' | 'cut' | 'lost' | 'silent';

/** How a network fails. */
export interface NetworkFault {
  /** Added to each call before it is forwarded. */
  readonly delayMs?: number;
  readonly fateOf?: (call: RecordedCall) => Fate;
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
  /** Replaces the fault of later calls. Without an argument, there is none. */
  setFault(fault?: NetworkFault): void;
  /** Ends all connections and rejects new ones. */
  reject(): void;
  /** Accepts connections again, at the same address. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const recordOf = ({ headers }: IncomingMessage, body: string): RecordedCall => {
  const { TableName: table = '' } = JSON.parse(body || '{}') as { TableName?: string };
  const operation = String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  const [, attempt = 1] = /attempt=(\d+)/.exec(String(headers['amz-sdk-request'])) ?? [];
  return { operation, table, body, attempt: Number(attempt), isDone: false };
};

/**
 * Starts a proxy that records, delays, holds or loses the calls to a DynamoDB, which may be down.
 *
 * @param options.fault the fault from the start on
 * @param options.records whether it keeps a list of calls. A load of a million calls has no room for one
 */
export const startDynamodbProxy = async (
  target: string,
  options: { readonly fault?: NetworkFault; readonly records?: boolean } = {},
): Promise<DynamodbProxy> => {
  let { fault = {} } = options;
  let held = Promise.resolve();
  let isHeld = (_call: RecordedCall): boolean => true;
  let release = (): void => undefined;
  let isReset = false;
  const agent = new Agent({ keepAlive: true });
  const calls: RecordedCall[] = [];

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const call = recordOf(incoming, body.toString());
    if (options.records ?? true) calls.push(call);
    const { delayMs = 0, fateOf } = fault;
    if (delayMs > 0) await setTimeout(delayMs);
    if (isHeld(call)) await held;
    if (outgoing.destroyed) throw new Error('The caller has gone');
    const { method, url, headers } = incoming;
    const passed = request(`${target}${url}`, { method, headers, agent });
    // A call whose caller gives up ends at the database too. Otherwise, a slow database gets slower by each retry.
    outgoing.once('close', () => passed.destroy());
    // Also after the response has begun.
    passed.on('error', () => outgoing.destroy());
    passed.end(body);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    const responseBody = await buffer(response);
    call.isDone = true;
    const fate = fateOf?.(call) ?? 'forwarded';
    if (fate === 'silent') return;
    if (fate === 'lost') throw new Error('The response is lost');
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    if (fate === 'forwarded') outgoing.end(responseBody);
    else outgoing.write(responseBody.subarray(0, responseBody.length / 2), () => end(outgoing));
  };
  /** Half of the connections close as behind a proxy. The others are reset as by a crash. */
  const end = (outgoing: ServerResponse): void => {
    isReset = !isReset;
    if (isReset) outgoing.socket?.resetAndDestroy();
    outgoing.destroy();
  };

  // An idle connection ends only by a fault.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    // If one side closes its connection, the proxy closes the other.
    forward(incoming, outgoing).catch(() => end(outgoing));
  });
  const port = await listen(server, HOST, 0);
  const reject = (): void => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
  };
  return {
    endpoint: `http://${HOST}:${port}`,
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
    setFault: (next = {}) => {
      fault = next;
    },
    reject,
    accept: async () => {
      await listen(server, HOST, port);
    },
    close: async () => {
      release();
      if (!server.listening) return;
      const closed = once(server, 'close');
      reject();
      await closed;
    },
  };
};
