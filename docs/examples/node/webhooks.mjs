// Receives webhooks, and stores each event once for `worker.mjs`. Needs Node.js 20 or later, and no packages:
//
//   WEBHOOK_SECRET=whsec_... node webhooks.mjs
//
// It listens at http://127.0.0.1:8080/hook (PORT), and keeps the events in the folder `inbox` (INBOX). In production, put a
// server with https in front of it.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setting, store } from './inbox.mjs';

const PORT = Number(setting('PORT', /^\d+$/, '8080'));
const KEY = Buffer.from(setting('WEBHOOK_SECRET', /^whsec_[A-Za-z0-9+/]+=*$/).slice(6), 'base64');

const TOLERANCE_SECONDS = 300;
const BODY_BYTES_MAX = 256 * 1024;

/** Whether the service signed the bytes of the body within the last five minutes (Standard Webhooks). */
function isSigned(headers, body) {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signatures = '',
  } = headers;
  if (!/^\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  // There are two signatures while the secret changes.
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Stores the event of a request. Returns the status of the response. */
async function receive(request) {
  if (request.method !== 'POST' || request.url !== '/hook') return 404;
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) return 413;
  // The bytes as they arrived, not parsed and serialised again.
  const body = await buffer(request);
  if (!isSigned(request.headers, body)) return 400;
  store(request.headers['webhook-id'], body);
  return 204;
}

const server = createServer(async (request, response) => {
  try {
    response.statusCode = await receive(request);
  } catch (error) {
    // The event is not stored. The service sends it again.
    console.error(error.message);
    response.statusCode = 500;
  }
  // At once: the service waits 10 seconds for it. The worker does the rest.
  response.end();
});

server.listen(PORT, '127.0.0.1', () => {
  console.log(`Listens at http://127.0.0.1:${server.address().port}/hook`);
});
