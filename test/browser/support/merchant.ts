import { once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from '../../../infra/local/gateway/listen.ts';

/** The empty icon keeps the browser from requesting one. */
const PAGE =
  '<!doctype html><html lang="en"><title>Merchant</title><link rel="icon" href="data:,"><h1>Thank you</h1></html>';

/** Starts a merchant's site on this machine, to which buyers return. */
export const startMerchant = async () => {
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
    /** The same site under another host name. `/moved/...` of `baseUrl` redirects to `/...` of this one. */
    otherUrl,
    /** The request targets since the last call, in order. */
    visits: (): readonly string[] => {
      const seen = visits;
      visits = [];
      return seen;
    },
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
