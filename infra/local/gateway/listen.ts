import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { OperatorError } from '../../terminal/operator-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: choose another with --port N (0 = any free).',
  EACCES: 'is reserved: choose one above 1023 with --port N (0 = any free).',
};

/**
 * Binds a server to a port, or to any free one if the port is 0. Returns the port.
 *
 * @throws OperatorError if the port cannot be bound
 */
export const listen = async (server: Server, host: string, port: number): Promise<number> => {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = REASONS[String((error as NodeJS.ErrnoException).code)];
    const message = reason ?? `of ${host} cannot be bound: ${String(error)}.`;
    throw new OperatorError(`Port ${port} ${message}`, { cause: error });
  }
  return (server.address() as AddressInfo).port;
};
