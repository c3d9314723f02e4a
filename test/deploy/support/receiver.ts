import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** A webhook that arrived, verified with the secret of its endpoint. */
export interface ReceivedWebhook {
  readonly webhookId: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A merchant's server on this machine that can be killed and started again at the same address. */
export interface Receiver {
  readonly url: string;
  /** The secret of the endpoint. Set it before the first webhook. */
  secret: string;
  readonly received: readonly ReceivedWebhook[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Waits until some webhook fits; the test's timeout ends the wait. */
  until(fits: (webhook: ReceivedWebhook) => boolean): Promise<ReceivedWebhook>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

export const startReceiver = async (): Promise<Receiver> => {
  const received: ReceivedWebhook[] = [];
  let server: Server;
  let port = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const headers = request.headers as Record<string, string>;
    const event = new Webhook(receiver.secret).verify(body, headers) as ReceivedWebhook['event'];
    received.push({ webhookId: String(headers['webhook-id']), event });
    response.writeHead(204).end();
  };
  const receiver = {
    url: '',
    secret: '',
    received,
    async start() {
      server = createServer((request, response) => void receive(request, response)).listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    async until(fits: (webhook: ReceivedWebhook) => boolean) {
      for (;;) {
        const found = received.find(fits);
        if (found) return found;
        await wait(100);
      }
    },
  };
  await receiver.start();
  receiver.url = `http://127.0.0.1:${port}/hook`;
  return receiver;
};
