// SPDX-License-Identifier: MIT-0
// Receives webhooks, and stores each event once for `worker.mjs`. Needs Node.js 20.19 or
// later, and the package cart-checkout-client:
//
//   WEBHOOK_SECRET=whsec_... node webhooks.mjs
//
// It listens at http://127.0.0.1:8080/hook (PORT), and keeps the events in the folder `inbox` (INBOX). In production, put a
// server with https in front of it.

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { CartCheckout, WebhookVerificationError } from 'cart-checkout-client';
import { store } from './inbox.mjs';
import { setting } from './setting.mjs';

const PORT = setting('PORT', /^\d+$/, '8080');
const WEBHOOK_SECRET = setting('WEBHOOK_SECRET', /^whsec_[A-Za-z0-9+/]+=*$/);

const BODY_BYTES_MAX = 256 * 1024;

/**
 * Stores the event of a request. Returns the status and the text of the response.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<[number, string?]>}
 */
async function receive(request) {
  if (request.method !== 'POST' || request.url !== '/hook') return [404];
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) return [413];
  // #region verify
  // The bytes as they arrived, not parsed and serialised again.
  const body = await buffer(request);
  const event = CartCheckout.verifyWebhook(WEBHOOK_SECRET, request.headers, body);
  // #endregion
  store(event.id, body);
  console.log(`Received ${event.type} ${event.id}`);
  return [204];
}

/**
 * @param {unknown} error
 * @returns {[number, string?]}
 */
function responseTo(error) {
  if (!(error instanceof WebhookVerificationError)) {
    // The event is not stored. The service sends it again.
    console.error(error);
    return [500];
  }
  console.error(`Rejected: ${error.message}`);
  // The list of deliveries shows this text.
  return [400, error.message];
}

const server = createServer((request, response) => {
  // At once: the service waits 10 seconds for the response. The worker does the rest.
  void receive(request)
    .catch(responseTo)
    .then(([status, text]) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text));
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listens at http://127.0.0.1:${PORT}/hook`));
