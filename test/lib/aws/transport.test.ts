import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { createTransport } from '../../../lib/aws/transport.ts';

const givenServer = async (respond: RequestListener, timeoutMs = 5_000) => {
  let connections = 0;
  const server = createServer(respond).on('connection', () => {
    connections += 1;
  });
  const port = await listen(server, '127.0.0.1', 0);
  const transport = createTransport(timeoutMs);
  onTestFinished(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  const send = (body = '', signal?: AbortSignal) => {
    const headers = [
      'host',
      endpoint.host,
      'x-test',
      'one',
      'content-length',
      String(Buffer.byteLength(body)),
    ];
    return transport.send({ endpoint, method: 'POST', headers, body }, signal);
  };
  return { connections: () => connections, send };
};

describe('the transport', () => {
  it('sends the headers and the body, and reads the response', async () => {
    const { send } = await givenServer((request, response) => {
      response.writeHead(418, {
        'X-Seen': `${request.method} ${request.url} ${String(request.headers['x-test'])}`,
      });
      request.pipe(response);
    });
    const { statusCode, headers, body } = await send('{"a":"é"}');
    expect([statusCode, headers['x-seen'], body]).toStrictEqual([418, 'POST / one', '{"a":"é"}']);
  });

  it('joins a character whose bytes arrive apart', async () => {
    const [first, ...others] = Buffer.from('é€');
    const { send } = await givenServer((_, response) => {
      response.write(Buffer.of(first as number), () => response.end(Buffer.from(others)));
    });
    expect((await send()).body).toBe('é€');
  });

  it('keeps its connection for the next request, and opens at most 50', async () => {
    const { connections, send } = await givenServer((_, response) => response.end());
    await send();
    await send();
    expect(connections()).toBe(1);
    await Promise.all(Array.from({ length: 60 }, () => send()));
    expect(connections()).toBeLessThanOrEqual(50);
  });

  it.each<[string, code: string, RequestListener]>([
    ['does not respond', 'ETIMEDOUT', () => undefined],
    ['does not end its response', 'ETIMEDOUT', (_, response) => response.writeHead(200).write('{')],
    ['closes the connection', 'ECONNRESET', (_, response) => response.socket?.destroy()],
  ])('throws a TimeoutError if the service %s', async (_, code, respond) => {
    const { send } = await givenServer(respond, code === 'ETIMEDOUT' ? 20 : 5_000);
    await expect(send()).rejects.toMatchObject({ name: 'TimeoutError', code });
  });

  it('throws a TimeoutError if the service changes the protocol', async () => {
    const { send } = await givenServer(({ socket }) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    await expect(send()).rejects.toMatchObject({ name: 'TimeoutError', code: 'ECONNRESET' });
  });

  it('has its time limit for the wait for a connection too', async () => {
    const { send } = await givenServer(() => undefined, 50);
    const sent = await Promise.allSettled(Array.from({ length: 51 }, () => send()));
    expect(sent.map(({ status }) => status)).not.toContain('fulfilled');
  });

  it('throws an error with its code if nobody listens', async () => {
    const nobody = {
      endpoint: new URL('http://127.0.0.1:1'),
      method: 'POST',
      headers: [],
      body: '',
    } as const;
    await expect(createTransport(5_000).send(nobody)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('has the status and the headers of a response whose body is cut', async () => {
    const { send } = await givenServer((_, response) => {
      response.writeHead(418, { 'Content-Length': 9, 'X-A': 'b' }).write('{', () => response.destroy());
    });
    const cut = { code: 'ECONNRESET' };
    expect(await send()).toMatchObject({ statusCode: 418, headers: { 'x-a': 'b' }, cut });
  });

  it('throws an AbortError, and closes the connection, if the signal aborts', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const { connections, send } = await givenServer((request) => {
      request.socket.once('close', () => closed.resolve());
      controller.abort();
    });
    await expect(send('', controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await closed.promise;
    await expect(send('', controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(connections()).toBe(1);
  });

  it('leaves no listener at a signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    const removed = Promise.withResolvers<void>();
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
      removed.resolve();
    };
    const { send } = await givenServer((_, response) => response.end());
    await send('', signal);
    await removed.promise;
    expect(listeners).toBe(0);
  });
});
