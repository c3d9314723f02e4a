import { CREATED, order, type Program } from '../support/program.ts';

/** PHP, WordPress: HTTP/1.0, and a connection for each request. */
export const program: Program = {
  creates: (shop) => ({
    httpVersion: '1.0',
    headers: { 'User-Agent': 'WordPress/6.9; https://shop.example', Connection: 'close', Accept: '*/*' },
    body: order(shop),
  }),
  gets: CREATED,
  reads: ({ headers }) => headers['connection'],
  sees: 'close',
};
