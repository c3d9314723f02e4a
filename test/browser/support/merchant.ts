import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A merchant's site on this machine, to which buyers return. */
export interface Merchant {
  readonly baseUrl: string;
  /** The same site under another host name. `/moved/...` of `baseUrl` redirects to `/...` of this one. */
  readonly otherUrl: string;
  /** The request targets since the last call, in order. */
  visits(): readonly string[];
  close(): Promise<void>;
}

/** It has an empty icon, so the browser requests none. */
const PAGE =
  '<!doctype html><html lang="en"><title>Merchant</title><link rel="icon" href="data:,"><h1>Thank you</h1></html>';

export const startMerchant = async (): Promise<Merchant> => {
  let visits: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    visits.push(url);
    const [, moved] = /^\/moved(\/.*)/.exec(url) ?? [];
    if (moved !== undefined) {
      response.writeHead(302, { Location: `${otherUrl}${moved}` }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html').end(PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const otherUrl = `http://localhost:${port}`;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    otherUrl,
    visits: () => {
      const seen = visits;
      visits = [];
      return seen;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
