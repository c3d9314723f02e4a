import { CREATED, order, type Program } from '../support/program.ts';

/**
 * C#, `new StreamWriter(stream, Encoding.UTF8)`: a byte order mark precedes the JSON. RFC 8259, 8.1, allows a reader
 * to ignore it.
 */
export const program: Program = {
  creates: (shop) => ({
    body: Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(JSON.stringify(order(shop)))]),
  }),
  gets: CREATED,
  reads: ({ body }) => body.cart.customerInfo.firstName,
  sees: 'Ada',
};
