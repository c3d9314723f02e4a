import { createServer } from 'node:http';
import { listen } from '../../../../infra/local/gateway/listen.ts';

/** A server that accepts requests and responds late, or never. It may respond at once at first. */
export interface SlowReceiver {
  readonly url: string;
  /** From now on, it no longer responds at once. */
  slowDown(): void;
  /** The attempts so far, and the most that waited for a response at the same time. */
  counts(): { readonly attempts: number; readonly inFlightMax: number };
  /** Ends all connections. */
  close(): void;
}

/**
 * @param responseMs the time until it responds 204. Absent: it never responds
 * @param isQuickAtFirst whether it responds at once until `slowDown`
 */
export const startSlowReceiver = async (
  responseMs?: number,
  isQuickAtFirst = false,
): Promise<SlowReceiver> => {
  let isQuick = isQuickAtFirst;
  let inFlight = 0;
  let inFlightMax = 0;
  let attempts = 0;
  const server = createServer((_request, response) => {
    inFlight += 1;
    attempts += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    response.once('close', () => (inFlight -= 1));
    if (isQuick) response.writeHead(204).end();
    else if (responseMs !== undefined) setTimeout(() => response.writeHead(204).end(), responseMs).unref();
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}/hook`;
  return {
    url,
    slowDown: () => void (isQuick = false),
    counts: () => ({ attempts, inFlightMax }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
