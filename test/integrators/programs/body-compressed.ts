import { gzipSync } from 'node:zlib';
import { invalid, order, type Program } from '../support/program.ts';

/** C#, a handler that compresses every request: the body is in gzip. */
export const program: Program = {
  creates: (shop) => ({
    headers: { 'Content-Encoding': 'gzip' },
    body: gzipSync(JSON.stringify(order(shop))),
  }),
  gets: invalid({ '': 'Must not be compressed: send it without Content-Encoding' }),
};
