import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const HOST = '127.0.0.1';

/** Whether anything accepts connections at an address on this machine. */
export const isListening = async (address: string): Promise<boolean> => {
  const socket = connect(Number(new URL(address).port), HOST);
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
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => socket.destroy())));
  server.listen(0, HOST);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return `http://${HOST}:${typeof address === 'object' ? address?.port : ''}`;
};

/** An address at which nothing listens. */
export const givenDeadAddress = async (): Promise<string> => {
  const server = createServer();
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return `http://${HOST}:${typeof address === 'object' ? address?.port : ''}`;
};
