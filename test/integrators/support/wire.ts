import { once } from 'node:events';
import { connect } from 'node:net';
import { CHECKOUT } from '../../support/service/http-client.ts';
import type { Shop, WireRequest, WireResponse } from './program.ts';

/** The body's bytes. */
const bytesOf = (body: WireRequest['body']): Buffer => {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

const FRAMING = {
  length: (body: Buffer) => ({ 'Content-Length': String(body.length) }),
  chunked: () => ({ 'Transfer-Encoding': 'chunked' }),
  'expect-continue': (body: Buffer) => ({ 'Content-Length': String(body.length), Expect: '100-continue' }),
};

/** The header lines of a request: the usual ones, unless the program has its own. */
const headerLines = (
  { headers = {}, body, framing = 'length' }: WireRequest,
  { host, apiKey }: Pick<Shop, 'host' | 'apiKey'>,
): string[] => {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const usual = {
    Host: host,
    Authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && { 'Content-Type': 'application/json', ...FRAMING[framing](bytesOf(body)) }),
  };
  return [
    ...Object.entries(usual).filter(([name]) => !own.has(name.toLowerCase())),
    ...Object.entries(headers),
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
};

/** The body in two chunks (RFC 9112, 7.1). */
const inChunks = (body: Buffer): Buffer =>
  Buffer.concat(
    [body.subarray(0, 7), body.subarray(7), Buffer.alloc(0)].flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
  );

/** Reads lines and bytes from a connection. */
const createReader = (chunks: AsyncIterator<Buffer>) => {
  let unread = Buffer.alloc(0);
  const receive = async (): Promise<void> => {
    const { done, value } = await chunks.next();
    if (done === true) throw new Error(`The stage closed the connection after: ${unread.toString()}`);
    unread = Buffer.concat([unread, value]);
  };
  return {
    take: async (length: number): Promise<string> => {
      while (unread.length < length) await receive();
      const taken = unread.subarray(0, length);
      unread = unread.subarray(length);
      return taken.toString();
    },
    async takeHead(): Promise<string> {
      let end = -1;
      while ((end = unread.indexOf('\r\n\r\n')) === -1) await receive();
      return this.take(end + 4);
    },
  };
};

const parseHead = (head: string): Pick<WireResponse, 'status' | 'headers'> => {
  const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()] as const;
  });
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers) };
};

/**
 * Opens a connection that sends each request byte for byte, as no HTTP library would let a test do.
 *
 * @param shop whose host and key the usual headers name
 */
export const openConnection = async (shop: Pick<Shop, 'host' | 'apiKey'>) => {
  const socket = connect(Number(shop.host.split(':')[1]), '127.0.0.1');
  await once(socket, 'connect');
  const reader = createReader(socket.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>);

  const exchange = async (request: WireRequest): Promise<WireResponse> => {
    const { method = 'POST', target = CHECKOUT, httpVersion = '1.1', framing = 'length' } = request;
    const lines = [`${method} ${target} HTTP/${httpVersion}`, ...headerLines(request, shop), '\r\n'];
    const head = Buffer.from(lines.join('\r\n'));
    const body = framing === 'chunked' ? inChunks(bytesOf(request.body)) : bytesOf(request.body);
    socket.write(framing === 'expect-continue' ? head : Buffer.concat([head, body]));
    let received = parseHead(await reader.takeHead());
    const wasContinued = received.status === 100;
    if (wasContinued) {
      socket.write(body);
      received = parseHead(await reader.takeHead());
    }
    const hasBody = method !== 'HEAD' && received.status !== 304;
    const bodyText = hasBody ? await reader.take(Number(received.headers['content-length'] ?? 0)) : '';
    const isJson = bodyText !== '' && received.headers['content-type']?.startsWith('application/json');
    return { ...received, bodyText, body: isJson ? JSON.parse(bodyText) : undefined, wasContinued };
  };

  return { exchange, close: () => socket.destroy() };
};
