import type { CartEvent } from '../../lib/carts/cart-event.ts';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { listen } from '../../infra/local/gateway/listen.ts';

/** A request that a receiver got. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAtMs: number;
}

/** A merchant's server on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  /** Sets the response to all later requests. `hang`: no response until the receiver closes. */
  respond(status: number | 'hang'): void;
  close(): Promise<void>;
}

/** Starts a receiver. It responds 204 by default. */
export const startWebhookReceiver = async (
  onReceived: (webhook: ReceivedWebhook) => void = () => undefined,
): Promise<WebhookReceiver> => {
  let status: number | 'hang' = 204;
  const received: ReceivedWebhook[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', headers } = request;
    const webhook = { path, headers, body: await text(request), receivedAtMs: Date.now() };
    received.push(webhook);
    onReceived(webhook);
    if (status !== 'hang') response.writeHead(status).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}/hook`;
  return {
    url,
    received,
    respond: (next) => {
      status = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/**
 * Verifies a webhook with the reference implementation of Standard Webhooks.
 *
 * @throws Error if its signature or its timestamp is wrong
 */
export const verifyWebhook = (
  secret: string,
  { headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>,
): CartEvent => new Webhook(secret).verify(body, headers as Record<string, string>) as CartEvent;
