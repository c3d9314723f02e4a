import { createServer } from 'node:http';
import { listen } from '../../../../infra/local/gateway/listen.ts';

/** A server that accepts requests and responds late, or never. */
export interface SlowReceiver {
  readonly url: string;
  /** The attempts so far, and the most that waited for a response at the same time. */
  counts(): { readonly attempts: number; readonly inFlightMax: number };
  /** Ends all connections. */
  close(): void;
}

/** @param responseMs the time until it responds 204. Absent: it never responds */
export const startSlowReceiver = async (responseMs?: number): Promise<SlowReceiver> => {
  let inFlight = 0;
  let inFlightMax = 0;
  let attempts = 0;
  const server = createServer((_request, response) => {
    inFlight += 1;
    attempts += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    response.once('close', () => (inFlight -= 1));
    if (responseMs !== undefined) setTimeout(() => response.writeHead(204).end(), responseMs).unref();
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}/hook`;
  return {
    url,
    counts: () => ({ attempts, inFlightMax }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
