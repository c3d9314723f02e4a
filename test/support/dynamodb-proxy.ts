import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** One call to DynamoDB, as it passed. */
export interface RecordedCall {
  /** Such as `GetItem`. */
  readonly operation: string;
  readonly table: string;
  /** When it came in and when its answer was sent, in milliseconds of `performance.now()`. */
  readonly startedAtMs: number;
  /** `undefined` while it is under way. */
  endedAtMs: number | undefined;
}

/** A proxy that stands in front of a DynamoDB on this machine. */
export interface DynamodbProxy {
  readonly endpoint: string;
  /** The calls since the start or the last reset, in the order in which they came in. */
  readonly calls: readonly RecordedCall[];
  /** Forgets the calls so far. */
  reset(): void;
  /** Makes the calls from now on take so much longer. */
  delay(ms: number): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const listen = async (server: Server): Promise<string> => {
  server.listen(0, HOST);
  await once(server, 'listening');
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
};

const readAll = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const recordOf = ({ headers }: IncomingMessage, body: Buffer, startedAtMs: number): RecordedCall => {
  const { TableName: table = '' } = JSON.parse(body.toString() || '{}') as { TableName?: string };
  const operation = String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
  return { operation, table, startedAtMs, endedAtMs: undefined };
};

/**
 * Makes every call to a DynamoDB take longer, as a network does, and tells which calls there were. Connections are
 * kept on both sides, so that the delay is all that it adds but for about a millisecond.
 *
 * @param delayMs added to each call, before it is passed on
 */
export const startDynamodbProxy = async (target: string, delayMs: number): Promise<DynamodbProxy> => {
  let addedMs = delayMs;
  const agent = new Agent({ keepAlive: true });
  const calls: RecordedCall[] = [];

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const startedAtMs = performance.now();
    const body = await readAll(incoming);
    const call = recordOf(incoming, body, startedAtMs);
    calls.push(call);
    await setTimeout(startedAtMs + addedMs - performance.now());
    const { method, url, headers } = incoming;
    const passed = request(`${target}${url}`, { method, headers, agent });
    passed.end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const answerBody = await readAll(answer);
    call.endedAtMs = performance.now();
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answerBody);
  };

  const server = createServer((incoming, outgoing) => {
    // Either side went away: the other must notice.
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const endpoint = await listen(server);
  return {
    endpoint,
    calls,
    reset: () => {
      calls.length = 0;
    },
    delay: (ms) => {
      addedMs = ms;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
};
