import { CREATED, order, type Program } from '../support/program.ts';

/** Go, a body that is encoded while it is sent: chunks, without a length. */
export const program: Program = {
  creates: (shop) => ({
    headers: { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' },
    body: order(shop),
    framing: 'chunked',
  }),
  gets: CREATED,
};
