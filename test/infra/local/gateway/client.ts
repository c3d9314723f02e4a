import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import {
  startGateway,
  type GatewayOptions,
  type RunningGateway,
} from '../../../../infra/local/gateway/gateway.ts';
import { ROUTES, type HttpFunctionName } from '../../../../functions/operations.ts';

/** A handler that answers 200 with its own name and the path parameters it got. */
export const namedHandler =
  (name: string): ProxyFunction =>
  async ({ pathParameters }) => ({ statusCode: 200, body: JSON.stringify({ name, pathParameters }) });

/** A gateway on a free port that is closed after the test; functions that are not given answer their name. */
export const givenGateway = async (
  handlers: Partial<Record<HttpFunctionName, ProxyFunction>> = {},
  options: Partial<GatewayOptions<HttpFunctionName>> = {},
): Promise<RunningGateway> => {
  const gateway = await startGateway({
    routes: ROUTES,
    handlers: {
      'create-cart-checkout': namedHandler('create-cart-checkout'),
      'get-cart': namedHandler('get-cart'),
      'sandbox-checkout': namedHandler('sandbox-checkout'),
      ...handlers,
    },
    port: 0,
    ...options,
  });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** A raw connection to a gateway, open. */
export const givenConnection = async (gateway: RunningGateway): Promise<Socket> => {
  const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
};

/** Sends bytes and returns all that comes back until the gateway closes the connection. */
export const exchangeBytes = async (gateway: RunningGateway, bytes: string): Promise<string> => {
  const socket = await givenConnection(gateway);
  socket.write(bytes);
  return readToEnd(socket);
};

/** All that comes in on a connection until the other side ends it. */
export const readToEnd = async (socket: Socket): Promise<string> => {
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) received += String(chunk);
  return received;
};

/** The status line and the JSON body of a raw answer. */
export const parseResponse = (received: string): { status: number; body: unknown } => {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
};
