import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';

const HOST = '127.0.0.1';

/** Whether anything accepts connections at an address on this machine. */
export const isListening = async (address: string): Promise<boolean> => {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** An address that accepts connections and never responds, until the test is over. */
export const givenSilentAddress = async (): Promise<string> => {
  const server = createHttpServer(() => undefined);
  const port = await listen(server, HOST, 0);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://${HOST}:${port}`;
};

/**
 * An address at which nothing listens. For a minute, the system gives its port only to a program that asks for this port: the
 * server ends the connection first, so the port stays in the state TIME_WAIT.
 */
export const givenDeadAddress = async (): Promise<string> => {
  const server = createServer((socket) => socket.end());
  const port = await listen(server, HOST, 0);
  await once(connect(port, HOST).resume(), 'close');
  server.close();
  await once(server, 'close');
  return `http://${HOST}:${port}`;
};
