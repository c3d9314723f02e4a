// SPDX-License-Identifier: MIT-0
// Handles the events in the inbox, one after the other, until Ctrl-C ends it. Run one worker. It needs Node.js 20.19 or
// later, and the package cart-checkout-client:
//
//   node worker.mjs

import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isKnownEvent } from 'cart-checkout-client';
import { DONE, INBOX } from './inbox.mjs';

/**
 * Replace the body with the work of your shop. Events arrive in any order: before you deliver, retrieve the cart.
 *
 * @param {import('cart-checkout-client').WebhookEvent} event
 */
async function handle(event) {
  // Later versions of the API send events of other types.
  if (!isKnownEvent(event)) return;
  // Skip tests and changes of endpoints: they have no cart of yours.
  if (event.test || event.type === 'webhook.ping' || event.type.startsWith('webhook_endpoint.')) return;
  console.log(`${event.type} ${event.data.id}`);
}

for (;;) {
  for (const name of readdirSync(INBOX).filter((each) => each.endsWith('.json'))) {
    try {
      await handle(JSON.parse(readFileSync(join(INBOX, name), 'utf8')));
      // After a crash before this line, the event is handled again, so handling must be safe to repeat.
      renameSync(join(INBOX, name), join(DONE, name));
    } catch (error) {
      // The event stays in the inbox, and blocks no other.
      console.error(name, error);
    }
  }
  await sleep(1000);
}
