import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../../../infra/local/gateway/listen.ts';

/** What a network does to the calls from now on. The shares are of the answers, from 0 to 1. */
export interface NetworkFault {
  /** Each call is passed on so much later. */
  readonly delayMs: number;
  /** The connection ends in the middle of the answer. */
  readonly cutShare: number;
  /** The answer, and with it the connection, is gone; what was asked is done. */
  readonly lostShare: number;
  /** The answer is gone and the connection stays: nothing ever comes. */
  readonly silentShare: number;
}

export const NO_FAULT: NetworkFault = { delayMs: 0, cutShare: 0, lostShare: 0, silentShare: 0 };

/** A network between the service and its database. */
export interface FaultyProxy {
  readonly endpoint: string;
  setFault(fault: NetworkFault): void;
  /** Ends all connections and refuses new ones, as a machine does on which nothing listens. */
  refuse(): void;
  /** Takes connections again, at the same address. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

type Fate = 'passed' | 'cut' | 'lost' | 'silent';

const chooseFate = ({ cutShare, lostShare, silentShare }: NetworkFault, draw: number): Fate => {
  if (draw < cutShare) return 'cut';
  if (draw < cutShare + lostShare) return 'lost';
  return draw < cutShare + lostShare + silentShare ? 'silent' : 'passed';
};

/**
 * Passes bytes to a server and back, and does to its answers what it is told to. It knows no HTTP: on a connection that
 * carries one call at a time, what the server sends is an answer, or a part of one.
 *
 * @param port where the server is, on this machine; it may be down
 * @param draw numbers from 0 to below 1, evenly
 */
export const startFaultyProxy = async (port: number, draw: () => number): Promise<FaultyProxy> => {
  let fault = NO_FAULT;
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.setNoDelay().once('close', () => sockets.delete(socket));
  };

  const passResponse = (answer: Buffer, client: Socket, server: Socket): void => {
    const fate = chooseFate(fault, draw());
    if (fate === 'passed') {
      client.write(answer);
      return;
    }
    if (fate === 'silent') return;
    // Half of the cut connections end in order, as a proxy's do, the others by a reset, as a crash's do.
    const end = (): void => {
      if (draw() < 0.5) client.destroy();
      else client.resetAndDestroy();
      server.destroy();
    };
    if (fate === 'lost') end();
    else client.write(answer.subarray(0, Math.ceil(answer.length / 2)), end);
  };

  const proxy = createServer((client) => {
    track(client);
    const server = track(connect(port, HOST));
    let passing = Promise.resolve();
    // One after the other, so that a part with a shorter delay does not overtake.
    const passAfter = async (previous: Promise<void>, call: Buffer, passAtMs: number): Promise<void> => {
      await previous;
      const waitMs = passAtMs - performance.now();
      if (waitMs > 0) await setTimeout(waitMs);
      if (!server.destroyed) server.write(call);
    };
    client.on('data', (call) => {
      passing = passAfter(passing, call, performance.now() + fault.delayMs);
    });
    server.on('data', (answer) => passResponse(answer, client, server));
    // Either side went away: the other must notice.
    client.on('error', () => server.destroy()).once('close', () => server.destroy());
    server.on('error', () => client.resetAndDestroy()).once('close', () => client.destroySoon());
  });
  const ownPort = await listen(proxy, HOST, 0);
  const refuse = (): void => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    endpoint: `http://${HOST}:${ownPort}`,
    refuse,
    accept: async () => {
      await listen(proxy, HOST, ownPort);
    },
    setFault: (next) => {
      fault = next;
    },
    close: async () => {
      const closed = once(proxy, 'close');
      refuse();
      await closed;
    },
  };
};
