import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../../../infra/local/gateway/listen.ts';

/** How a network fails. The shares are parts of the responses, from 0 to 1. */
export interface NetworkFault {
  /** Added to each call before it is forwarded. */
  readonly delayMs: number;
  /** The connection ends in the middle of the response. */
  readonly cutShare: number;
  /** The call takes effect, but its response and connection are lost. */
  readonly lostShare: number;
  /** The call takes effect, and the connection stays open without a response. */
  readonly silentShare: number;
}

export const NO_FAULT: NetworkFault = { delayMs: 0, cutShare: 0, lostShare: 0, silentShare: 0 };

const HOST = '127.0.0.1';

type Fate = 'forwarded' | 'cut' | 'lost' | 'silent';

const chooseFate = ({ cutShare, lostShare, silentShare }: NetworkFault, draw: number): Fate => {
  if (draw < cutShare) return 'cut';
  if (draw < cutShare + lostShare) return 'lost';
  return draw < cutShare + lostShare + silentShare ? 'silent' : 'forwarded';
};

/**
 * Forwards bytes to a server and back, with the current fault. It does not parse HTTP: a connection carries one call at
 * a time, so each chunk from the server is a response or a part of one.
 *
 * @param port the port of the server on this machine, which may be down
 * @param draw returns numbers from 0 to below 1, evenly distributed
 */
export const startFaultyProxy = async (port: number, draw: () => number) => {
  let fault = NO_FAULT;
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.setNoDelay().once('close', () => sockets.delete(socket));
  };

  const forwardResponse = (response: Buffer, client: Socket, server: Socket): void => {
    const fate = chooseFate(fault, draw());
    // Half of the connections close as behind a proxy. The others are reset as by a crash.
    const end = (): void => {
      if (draw() < 0.5) client.destroy();
      else client.resetAndDestroy();
      server.destroy();
    };
    if (fate === 'forwarded') client.write(response);
    else if (fate === 'cut') client.write(response.subarray(0, Math.ceil(response.length / 2)), end);
    else if (fate === 'lost') end();
  };

  const proxy = createServer((client) => {
    track(client);
    const server = track(connect(port, HOST));
    let forwarding = Promise.resolve();
    // In sequence, so that a chunk with a shorter delay does not overtake.
    const forwardAfter = async (previous: Promise<void>, call: Buffer, atMs: number): Promise<void> => {
      await previous;
      const waitMs = atMs - performance.now();
      if (waitMs > 0) await setTimeout(waitMs);
      if (!server.destroyed) server.write(call);
    };
    client.on('data', (call) => {
      forwarding = forwardAfter(forwarding, call, performance.now() + fault.delayMs);
    });
    server.on('data', (response) => forwardResponse(response, client, server));
    client.on('error', () => server.destroy()).once('close', () => server.destroy());
    server.on('error', () => client.resetAndDestroy()).once('close', () => client.destroySoon());
  });
  const ownPort = await listen(proxy, HOST, 0);
  /** Ends all connections and rejects new ones. */
  const reject = (): void => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    endpoint: `http://${HOST}:${ownPort}`,
    reject,
    accept: async (): Promise<void> => {
      await listen(proxy, HOST, ownPort);
    },
    setFault: (next: NetworkFault): void => {
      fault = next;
    },
    close: async (): Promise<void> => {
      if (!proxy.listening) return;
      const closed = once(proxy, 'close');
      reject();
      await closed;
    },
  };
};
