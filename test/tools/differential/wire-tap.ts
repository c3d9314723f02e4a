import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { parseRequest, type WireRequest } from './wire-request.ts';

/** The treatment of one request by the tap. */
export type Step =
  /** Passes the request to the database, and its response back. */
  | { readonly kind: 'forward' }
  /** Passes the request on, and resets the connection in place of the response. */
  | { readonly kind: 'lose response' }
  /** Resets the connection once the request is complete. */
  | { readonly kind: 'reset' }
  /** Closes the connection once the request is complete. */
  | { readonly kind: 'close' }
  /** Never responds. */
  | { readonly kind: 'hang' }
  /** Sends these bytes. */
  | { readonly kind: 'respond'; readonly bytes: Uint8Array; readonly thenCloses?: boolean }
  /** Sends these bytes, and resets the connection once the client has read them. */
  | { readonly kind: 'respond and reset'; readonly bytes: Uint8Array }
  /** Sends these bytes, calls the signal's owner, and never sends more. */
  | { readonly kind: 'abort'; readonly bytes: Uint8Array; readonly abort: () => void };

/** A loopback address that records requests byte for byte, and treats each as a plan says. */
export interface WireTap {
  readonly port: number;
  /**
   * Starts a call, which has at most one request at a time.
   *
   * @param plan a step for each request. Further requests are forwarded
   */
  begin(plan?: readonly Step[]): void;
  /** Ends the call once the connections that a step closes are closed. Returns its requests and the ids of responses. */
  end(): Promise<{ readonly requests: readonly WireRequest[]; readonly requestIds: readonly string[] }>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const FORWARD: Step = { kind: 'forward' };

/** @param database where the database listens */
export const startWireTap = async (database: URL): Promise<WireTap> => {
  const sockets = new Set<Socket>();
  const closing = new Set<Promise<unknown>>();
  let plan: Step[] = [];
  let requests: WireRequest[] = [];
  let requestIds: string[] = [];

  const end = (socket: Socket, method: 'end' | 'resetAndDestroy'): void => {
    if (socket.writableEnded || socket.destroyed) return;
    closing.add(new Promise((settle) => socket.once('close', settle)));
    socket[method]();
  };

  const serve = (client: Socket): void => {
    sockets.add(client.setNoDelay());
    client.once('close', () => {
      sockets.delete(client);
      upstream?.destroy();
    });
    client.on('error', () => undefined);
    let upstream: Socket | undefined;
    let losesResponse = false;
    // A request without any byte of its response.
    let pending: Buffer | undefined;

    const openUpstream = (): Socket => {
      let isUsed = false;
      const opened = connect(Number(database.port), database.hostname).setNoDelay();
      opened.on('error', () => undefined);
      opened.once('close', () => {
        upstream = undefined;
        if (pending === undefined || client.destroyed) return;
        // DynamoDB Local closes a connection after 30 s without a request, perhaps as one arrives. No client may see this.
        if (isUsed) forward(pending);
        else client.destroy();
      });
      return opened.on('data', (response) => {
        isUsed = true;
        pending = undefined;
        const id = /^x-amzn-requestid: *(\S+)/im.exec(response.toString('latin1', 0, 1_000))?.[1];
        if (id !== undefined) requestIds.push(id);
        if (losesResponse) end(client, 'resetAndDestroy');
        else if (!client.writableEnded) client.write(response);
      });
    };
    const forward = (bytes: Buffer): void => {
      pending = bytes;
      upstream ??= openUpstream();
      upstream.write(bytes);
    };
    const perform = (step: Step, bytes: Buffer): void => {
      losesResponse = step.kind === 'lose response';
      if (step.kind === 'forward' || losesResponse) forward(bytes);
      else if (step.kind === 'reset') end(client, 'resetAndDestroy');
      else if (step.kind === 'close') end(client, 'end');
      else if (step.kind === 'respond') {
        client.write(step.bytes);
        if (step.thenCloses === true) end(client, 'end');
      } else if (step.kind === 'respond and reset') {
        client.write(step.bytes);
        // The client, in this process, reads in the first iteration of the event loop.
        setImmediate(() => setImmediate(() => end(client, 'resetAndDestroy')));
      } else if (step.kind === 'abort') client.write(step.bytes, step.abort);
    };
    let received: Buffer = Buffer.alloc(0);
    client.on('data', (bytes) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      const request = parseRequest(received);
      if (request === undefined) return;
      requests.push(request);
      const complete = received;
      received = Buffer.alloc(0);
      perform(plan.shift() ?? FORWARD, complete);
    });
  };

  const server = createServer(serve);
  const port = await listen(server, HOST, 0);
  const settle = async (): Promise<void> => {
    await Promise.all(closing);
    closing.clear();
  };
  return {
    port,
    begin: (steps = []) => {
      plan = [...steps];
      requests = [];
      requestIds = [];
    },
    end: async () => {
      await settle();
      return { requests, requestIds };
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
