import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { ALL_OPERATIONS } from '../../../functions/operations.ts';
import {
  startGateway,
  type GatewayOptions,
  type RunningGateway,
} from '../../../infra/local/gateway/gateway.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';

/** A gateway on a free port that closes after the test. By default, a function returns its name as the body. */
export const givenGateway = async (
  handlers: Readonly<Record<string, ProxyFunction>> = {},
  options: Partial<GatewayOptions> = {},
): Promise<RunningGateway> => {
  const named = ALL_OPERATIONS.map(({ functionName }): [string, ProxyFunction] => [
    functionName,
    async () => ({ statusCode: 200, body: functionName }),
  ]);
  const gateway = await startGateway({
    routes: ALL_OPERATIONS,
    handlers: { ...Object.fromEntries(named), ...handlers },
    port: 0,
    ...options,
  });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** An open raw connection to a gateway. */
export const givenConnection = async (gateway: RunningGateway): Promise<Socket> => {
  const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
};

/** All text that arrives on a connection until the other side ends it. */
export const readToEnd = async (socket: Socket): Promise<string> => {
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) received += String(chunk);
  return received;
};

/** Sends bytes and returns everything that the gateway sends until it closes the connection. */
export const exchangeBytes = async (gateway: RunningGateway, bytes: string): Promise<string> => {
  const socket = await givenConnection(gateway);
  socket.write(bytes);
  return readToEnd(socket);
};

/** Sends a request with any headers, also those that `fetch` reserves for browsers. */
export const sendAs = async (url: string, method: string, headers: OutgoingHttpHeaders, body = '') => {
  const sent = request(url, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
};
