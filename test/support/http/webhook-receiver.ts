import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { listen } from '../../../infra/local/gateway/listen.ts';
import type { CartEvent } from '../../../lib/carts/cart-event.ts';

/** A request that a receiver got. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Absent before the response, and if there is none. */
  status?: number;
}

/** A status, or a function that chooses it. `hang`: no response until the receiver closes. */
type ReceiverResponse = number | 'hang' | (() => number);

/** A merchant's server on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  /** Sets the response to all later requests. */
  respond(response: ReceiverResponse): void;
  /** Ends all connections, and rejects new ones. */
  close(): Promise<void>;
  /** Accepts connections again, at the same address. */
  reopen(): Promise<void>;
}

/**
 * Starts a receiver. It responds 204 by default.
 *
 * @param onReceived called before the response. If it throws, there is none
 */
export const startWebhookReceiver = async (
  onReceived: (webhook: ReceivedWebhook) => void = () => undefined,
): Promise<WebhookReceiver> => {
  let respond: ReceiverResponse = 204;
  const received: ReceivedWebhook[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', headers } = request;
    const webhook: ReceivedWebhook = { path, headers, body: await text(request) };
    received.push(webhook);
    onReceived(webhook);
    const status = typeof respond === 'function' ? respond() : respond;
    if (status === 'hang' || response.destroyed) return;
    webhook.status = status;
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, '127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond: (next) => {
      respond = next;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    reopen: async () => void (await listen(server, '127.0.0.1', port)),
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
