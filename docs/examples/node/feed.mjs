// SPDX-License-Identifier: MIT-0
// Reads the events since the last run, and stores each one once for `worker.mjs`. Run it every few minutes. It needs Node.js
// 20.19 or later, and the package cart-checkout-client:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... node feed.mjs
//
// It keeps events and the cursor in the folder `inbox` (INBOX), as `webhooks.mjs` does. Exit codes: 0 all read, 1 error,
// 2 the cursor is too old, so events are lost.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CartCheckout, CartCheckoutError } from 'cart-checkout-client';
import { INBOX, store, writeFile } from './inbox.mjs';
import { setting } from './setting.mjs';

const client = new CartCheckout({
  baseUrl: setting('BASE_URL', /^https?:\/\/[!-~]+$/),
  apiKey: setting('API_KEY', /^[!-~]+$/),
});
const CURSOR_FILE = join(INBOX, 'cursor');

try {
  const after = existsSync(CURSOR_FILE) ? readFileSync(CURSOR_FILE, 'utf8') : undefined;
  for await (const { events, cursor } of client.eventPages({ after })) {
    for (const event of events) store(event.id, JSON.stringify(event));
    // After the events: if a crash comes first, the next run reads the page again, and the inbox ignores known events.
    writeFile(CURSOR_FILE, cursor);
  }
} catch (error) {
  if (!(error instanceof CartCheckoutError)) throw error;
  console.error(error.message);
  process.exitCode = error.status === 422 ? 2 : 1;
}
