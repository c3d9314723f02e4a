import { once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from '../../../infra/local/gateway/listen.ts';

/** A merchant's site on this machine, to which buyers return. */
export interface Merchant {
  readonly baseUrl: string;
  /** The same site under another host name. `/moved/...` of `baseUrl` redirects to `/...` of this one. */
  readonly otherUrl: string;
  /** The request targets since the last call, in order. */
  visits(): readonly string[];
  close(): Promise<void>;
}

/** The empty icon keeps the browser from requesting one. */
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
  const port = await listen(server, '127.0.0.1', 0);
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
