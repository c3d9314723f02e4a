import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSender } from '../../../../lib/deliveries/sending/send.ts';
import { listening } from '../support/listening.ts';

/** Sends to a port of this machine. The time for an attempt is the default of 10 s, so no attempt here ends by it. */
const sendTo = (port: number) =>
  createSender({ allowsLoopback: true })({ headers: {}, body: '{}', url: `http://127.0.0.1:${port}/` });

/** Writes a part as fast as the other side reads. */
const flood = (socket: Socket, part: string): void => {
  const write = (): void => {
    while (socket.writable && socket.write(part.repeat(100)));
  };
  socket.on('drain', write);
  write();
};

describe('a receiver cannot flood a delivery', () => {
  it.each([
    ['interim responses', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['interim responses with headers', '', `HTTP/1.1 103 Early Hints\r\nx: ${'x'.repeat(99)}\r\n\r\n`],
    ['empty lines before a response', '', '\r\n'],
    ['zeros before the size of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '0'],
  ])('with endless %s: it ends after 64 KB', async (_, start, part) => {
    const ended = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('close', () => ended.resolve());
      socket.once('data', () => {
        socket.write(start);
        flood(socket, part);
      });
    });
    expect(await sendTo(await listening(server))).toStrictEqual({
      error: 'invalidResponse',
      ms: expect.any(Number),
    });
    await ended.promise;
  });

  it('with a large body that arrives at once: its status counts', async () => {
    const server = createHttpServer((_, response) => void response.end('x'.repeat(5_000_000)));
    expect(await sendTo(await listening(server))).toMatchObject({ status: 200, response: 'x'.repeat(500) });
  });
});
