import { CREATED, order, type Program } from '../support/program.ts';

/** Java, `java.net.http.HttpClient`: it offers HTTP/2 on every plain connection. */
export const program: Program = {
  creates: (shop) => ({
    headers: {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    },
    body: order(shop),
  }),
  gets: CREATED,
};
