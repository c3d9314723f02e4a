import { once } from 'node:events';
import type { Server } from 'node:net';
import { OperatorError } from '../../operator-error.ts';

/**
 * Binds a server and returns the port it got.
 *
 * @param port the port to bind; 0 takes any free one
 * @throws OperatorError with one sentence for the operator when the port cannot be bound
 */
export const listen = async (server: Server, host: string, port: number): Promise<number> => {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new OperatorError(explain(error, host, port), { cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new OperatorError(`${host} is not an address with ports.`);
  return address.port;
};

const explain = (error: unknown, host: string, port: number): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: choose another with --port N (0 = any free).`;
  if (code === 'EACCES')
    return `Port ${port} is reserved: choose one above 1023 with --port N (0 = any free).`;
  return `Nothing can listen on ${host}, port ${port}: ${String(error)}.`;
};
