import { createServer } from 'node:http';
import { listen } from '../../../../infra/local/gateway/listen.ts';

/** Starts a server that accepts requests and never responds. */
export const startHangingReceiver = async () => {
  let attempts = 0;
  let inFlight = 0;
  let inFlightMax = 0;
  const server = createServer((_request, response) => {
    attempts += 1;
    inFlight += 1;
    inFlightMax = Math.max(inFlightMax, inFlight);
    response.once('close', () => (inFlight -= 1));
  });
  return {
    url: `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}/hook`,
    /** The attempts so far, and the most that waited for a response at the same time. */
    counts: () => ({ attempts, inFlightMax }),
    /** Ends all connections. */
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
};
