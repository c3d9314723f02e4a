import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A response: an IPv4 address, an error code, or no address. `silent`: no response. */
export type DnsResponse =
  | `${number}.${number}.${number}.${number}`
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'NODATA'
  | 'silent';

const HEADER_BYTES = 12;
/** RFC 1035, 4.1.1: a response to a recursive query. */
const FLAGS = 0x8180;
const CODES: Readonly<Record<string, number>> = { NXDOMAIN: 3, SERVFAIL: 2 };
const TYPE_A = 1;

/** The response to a query with one question: RFC 1035, 4.1 */
const responseTo = (query: Buffer, endOfQuestion: number, response: DnsResponse): Buffer => {
  const bytes = /^[0-9.]+$/.test(response) ? response.split('.').map(Number) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(FLAGS + (CODES[response] ?? 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(bytes.length === 0 ? 0 : 1, 6);
  // The name of the question, type A, class IN, a minute, four bytes.
  const answer = bytes.length === 0 ? [] : [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes];
  return Buffer.concat([header, query.subarray(HEADER_BYTES, endOfQuestion), Buffer.from(answer)]);
};

/**
 * Starts a name server on loopback for the rest of a test.
 *
 * @param responses of queries for IPv4 and for IPv6 addresses
 */
export const givenDns = async (responses: { readonly A: DnsResponse; readonly AAAA: DnsResponse }) => {
  const socket = createSocket('udp4');
  let received = 0;
  const bothReceived = Promise.withResolvers<void>();
  socket.on('message', (query, { port, address }) => {
    received += 1;
    const endOfName = query.indexOf(0, HEADER_BYTES) + 1;
    const response = query.readUInt16BE(endOfName) === TYPE_A ? responses.A : responses.AAAA;
    if (response !== 'silent') socket.send(responseTo(query, endOfName + 4, response), port, address);
    if (received === 2) bothReceived.resolve();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  const { port } = socket.address();
  // c-ares waits for at most 5 s before it asks again.
  const resolver = new Resolver({ timeout: 5_000, tries: 1_000 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return {
    /** Resolves when the queries for both types have arrived. */
    bothReceived: bothReceived.promise,

    /** A resolver that asks this server, and never gives up by itself. */
    resolver,
  };
};
