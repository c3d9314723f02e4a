import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { Agent } from 'node:https';
import { createServer, getDefaultAutoSelectFamily, setDefaultAutoSelectFamily, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSender, type SenderOptions } from '../../../../lib/deliveries/sending/send.ts';
import { givenDeadAddress } from '../../../support/http/addresses.ts';
import { selfSigned } from '../../../support/http/self-signed.ts';
import { HOSTILE_ADDRESSES, HOSTILE_HOSTS } from '../../endpoints/address/hostile-addresses.ts';
import { listening } from '../support/listening.ts';

const REQUEST = { headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}' };

const PUBLIC_ADDRESS = '93.184.215.14';

/** A receiver on this machine, and the sender of the local stage. */
const givenReceiver = async (respond: RequestListener, options: SenderOptions = {}) => {
  const port = await listening(createHttpServer(respond));
  const send = createSender({ allowsLoopback: true, ...options });
  return (path = '/hook') => send({ ...REQUEST, url: `http://127.0.0.1:${port}${path}` });
};

/** A receiver that writes raw bytes as soon as a request arrives. */
const givenRawReceiver = async (respond: (socket: Socket) => void, options: SenderOptions = {}) => {
  const port = await listening(
    createServer((socket) => {
      socket.once('data', () => respond(socket));
    }),
  );
  const send = createSender({ allowsLoopback: true, ...options });
  return () => send({ ...REQUEST, url: `http://127.0.0.1:${port}/` });
};

/** An agent that opens connections in its own way. */
const agentOf = (connect: (options: ConnectionOptions) => Duplex): Agent =>
  Object.assign(new Agent(), { createConnection: connect });

/** A sender for https that counts its connections, and leads them to a port of this machine. */
const givenSpy = (resolve: SenderOptions['resolve'], port = 1, timeoutMs = 10_000) => {
  const connections: unknown[] = [];
  const agent = agentOf((options) => {
    connections.push(options.host);
    // The default of `tls.connect`.
    const { rejectUnauthorized = process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0' } = options;
    return connectTls({ host: '127.0.0.1', port, servername: 'shop.example', rejectUnauthorized });
  });
  const send = createSender({ ...(resolve && { resolve }), agent, timeoutMs });
  return { connections, send: (url: string) => send({ ...REQUEST, url }) };
};

describe('a delivery', () => {
  it('is a POST of the very body and headers, on a connection of its own', async () => {
    const requests: object[] = [];
    const send = await givenReceiver((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        const { method, url, headers } = request;
        requests.push({ method, url, headers, body });
        response.end('ok');
      });
    });
    expect(await send('/hook?shop=1')).toStrictEqual({ status: 200, response: 'ok', ms: expect.any(Number) });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/hook?shop=1',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: REQUEST.body,
      },
    ]);
  });

  it.each([204, 410, 500])('that is responded to with %i has this status', async (status) => {
    const send = await givenReceiver((_, response) => {
      response.writeHead(status).end();
    });
    expect(await send()).toMatchObject({ status });
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const send = await givenReceiver((request, response) => {
      requests += 1;
      response.writeHead(307, { location: `http://${request.headers.host}/private` }).end();
    });
    expect(await send()).toMatchObject({ status: 307 });
    expect(requests).toBe(1);
  });

  it('decodes no compressed response, and names its encoding', async () => {
    const send = await givenReceiver((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)));
    });
    expect(await send()).toMatchObject({ status: 200, response: '[content-encoding: gzip]' });
  });

  it('reaches a name with several addresses, also if the process selects no address family', async () => {
    onTestFinished(setDefaultAutoSelectFamily.bind(undefined, getDefaultAutoSelectFamily()));
    setDefaultAutoSelectFamily(false);
    const port = await listening(createHttpServer((_, response) => void response.writeHead(204).end()));
    const send = createSender({ allowsLoopback: true, resolve: async () => ['::1', '127.0.0.1'] });
    expect(await send({ ...REQUEST, url: `http://localhost:${port}/` })).toMatchObject({ status: 204 });
  });

  it('ignores an interim response', async () => {
    const send = await givenRawReceiver((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n');
      socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok');
    });
    expect(await send()).toMatchObject({ status: 202, response: 'ok' });
  });
});

describe('a receiver cannot hold a delivery', () => {
  it('with a body that does not end: it ends after 4 KB, with the status', async () => {
    const closed = Promise.withResolvers<void>();
    const respond: RequestListener = (_, response) => {
      response.on('close', () => closed.resolve());
      response.write('x'.repeat(4_096));
    };
    const send = await givenReceiver(respond, { timeoutMs: 5_000 });
    expect(await send()).toMatchObject({ status: 200, response: 'x'.repeat(500) });
    await closed.promise;
  });

  it('without reading the request: its response ends the connection', async () => {
    const connection = new Duplex({
      read: () => undefined,
      // The callback is missing, so the request never ends.
      write: () => void connection.push('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n'),
    });
    const send = createSender({ resolve: async () => [PUBLIC_ADDRESS], agent: agentOf(() => connection) });
    expect(await send({ ...REQUEST, url: 'https://shop.example/' })).toMatchObject({ status: 413 });
    expect(connection.destroyed).toBe(true);
  });

  it('for more than 10 s, whatever it does meanwhile', async () => {
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    onTestFinished(() => timeout.mockRestore());
    const send = await givenReceiver((_, response) => {
      response.write('x');
      time.abort();
    });
    expect(await send()).toStrictEqual({ error: 'timeout', ms: expect.any(Number) });
    expect(timeout.mock.calls).toStrictEqual([[10_000]]);
  });

  // The time for an attempt is shorter here than its default of 10 s.
  it.each([
    ['no response', () => undefined],
    ['endless headers', (socket: Socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n', 'x-slow: 1\r\n')],
    ['a slow body', (socket: Socket) => trickle(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x')],
    ['interim responses', (socket: Socket) => trickle(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['a switch of protocols', (socket: Socket) => trickle(socket, '', '')],
  ])('with %s', async (_, respond) => {
    const send = await givenRawReceiver(respond, { timeoutMs: 60 });
    expect(await send()).toStrictEqual({ error: 'timeout', ms: expect.any(Number) });
  });

  it('with a slow name server: it opens no connection after its time', async () => {
    const found = Promise.withResolvers<string[]>();
    const { send, connections } = givenSpy(() => found.promise, 1, 20);
    expect(await send('https://shop.example/')).toStrictEqual({ error: 'timeout', ms: expect.any(Number) });
    found.resolve([PUBLIC_ADDRESS]);
    await setImmediate();
    expect(connections).toStrictEqual([]);
  });
});

/** Writes a start, and a part every few milliseconds until the other side ends. */
const trickle = (socket: Socket, start: string, part: string): void => {
  socket.write(start);
  const timer = setInterval(() => socket.write(part), 5);
  socket.on('close', () => clearInterval(timer));
};

describe('an attempt without a whole response has an error', () => {
  it.each([
    ['connectionClosed', (socket: Socket) => socket.destroy()],
    ['connectionClosed', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
    [
      'invalidResponse',
      (socket: Socket) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['invalidResponse', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    [
      'invalidResponse',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`),
    ],
  ])('%s: %#', async (error, respond) => {
    const send = await givenRawReceiver(respond);
    expect(await send()).toStrictEqual({ error, ms: expect.any(Number) });
  });

  it('connectionFailed: nothing listens', async () => {
    const { port } = new URL(await givenDeadAddress());
    const send = createSender({ allowsLoopback: true });
    const result = await send({ ...REQUEST, url: `http://localhost:${port}/` });
    expect(result).toStrictEqual({ error: 'connectionFailed', ms: expect.any(Number) });
  });

  it('hostNotFound: the name has no address', async () => {
    const { send, connections } = givenSpy(() => Promise.reject(new Error('ENOTFOUND')));
    expect(await send('https://shop.example/')).toMatchObject({ error: 'hostNotFound' });
    expect(connections).toStrictEqual([]);
  });

  it('tlsFailed: no authority has signed the certificate, and no request arrives, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    let received = '';
    const server = createTlsServer(await selfSigned('shop.example'), (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        received += String(data);
        socket.destroy();
      });
    });
    const port = await listening(server);
    const { send, connections } = givenSpy(async () => [PUBLIC_ADDRESS], port);
    expect(await send('https://shop.example/')).toMatchObject({ error: 'tlsFailed' });
    expect(connections).toHaveLength(1);
    expect(received).toBe('');
  });
});

describe('no connection is opened', () => {
  /** A listener on this machine that no attempt may reach. */
  const givenForbidden = async () => {
    let connections = 0;
    const server = createServer(() => (connections += 1));
    const port = await listening(server);
    return { port, connections: () => connections };
  };

  it(`to any of ${HOSTILE_HOSTS.length} hosts, on a deployed stage or, but for loopback, on the local one`, async () => {
    expect(HOSTILE_HOSTS.length).toBeGreaterThanOrEqual(60);
    const forbidden = await givenForbidden();
    const spy = givenSpy(async (hostname) => [hostname.replace(/\.$/, '')], forbidden.port);
    const local = createSender({ allowsLoopback: true, resolve: async (hostname) => [hostname] });
    const reached: string[] = [];
    for (const host of HOSTILE_HOSTS) {
      for (const url of [`https://${host}/`, `https://${host}:8443/`, `http://${host}:${forbidden.port}/`]) {
        const { error } = await spy.send(url);
        if (error !== 'invalidUrl' && error !== 'privateAddress') reached.push(url);
      }
      const { error } = await local({ ...REQUEST, url: `https://${host}:${forbidden.port}/` });
      if (error !== 'invalidUrl') reached.push(`local ${host}`);
    }
    expect(reached).toStrictEqual([]);
    expect(spy.connections).toStrictEqual([]);
    expect(forbidden.connections()).toBe(0);
  });

  it('to a public name if one of its addresses is not public, wherever it stands', async () => {
    const reached: string[] = [];
    for (const address of HOSTILE_ADDRESSES) {
      for (const addresses of [[address], [PUBLIC_ADDRESS, address], [address, PUBLIC_ADDRESS]]) {
        const spy = givenSpy(async () => addresses);
        const { error } = await spy.send('https://shop.example/');
        if (error !== 'privateAddress' || spy.connections.length > 0) reached.push(addresses.join());
      }
    }
    expect(reached).toStrictEqual([]);
  });

  it('by the local stage over http to the name of another machine', async () => {
    const forbidden = await givenForbidden();
    const send = createSender({ allowsLoopback: true, resolve: async () => ['127.0.0.1'] });
    for (const host of ['shop.example', '10.0.0.1', '0.0.0.0', '[::ffff:10.0.0.1]', '169.254.169.254']) {
      const result = await send({ ...REQUEST, url: `http://${host}:${forbidden.port}/` });
      expect(result, host).toMatchObject({ error: 'invalidUrl' });
    }
    expect(forbidden.connections()).toBe(0);
  });
});

it('a name that resolves to a private address the second time cannot redirect the connection', async () => {
  let lookups = 0;
  const pinned = Promise.withResolvers<unknown>();
  const send = createSender({
    resolve: async () => {
      lookups += 1;
      return lookups === 1 ? [PUBLIC_ADDRESS] : ['127.0.0.1'];
    },
    agent: agentOf((options) => {
      // The socket asks for the addresses when it connects.
      options.lookup?.('shop.example', { all: true }, (_error, addresses) => pinned.resolve(addresses));
      return connectTls({ host: '127.0.0.1', port: 1 });
    }),
  });
  await send({ ...REQUEST, url: 'https://shop.example/' });
  expect(await pinned.promise).toStrictEqual([{ address: PUBLIC_ADDRESS, family: 4 }]);
  expect(lookups).toBe(1);
});
