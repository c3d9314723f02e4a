// SPDX-License-Identifier: MIT-0
// The calls of the guide, with the address and the key of the local stage. Needs Node.js 20.19 or later, and the package
// cart-checkout-client:
//
//   node calls.mjs

// #region create
import { CartCheckout } from 'cart-checkout-client';

const client = new CartCheckout({
  baseUrl: 'http://127.0.0.1:3000',
  apiKey: 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw',
});
const { cart, redirectUrl } = await client.createCart(
  {
    productDocumentId: 'one-course',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    meta: { order: '1001' },
  },
  { idempotencyKey: 'order-1001-attempt-1' },
);
console.log(cart.id, redirectUrl);
// #endregion

// #region retrieve
const { status, price } = await client.retrieveCart(cart.id);
console.log(status, price.amount, price.currency);
// #endregion

// #region endpoint
const { webhookEndpoint, secret } = await client.createWebhookEndpoint({ url: 'http://127.0.0.1:8080/hook' });
console.log(webhookEndpoint.id, secret);
// #endregion

// #region feed
for await (const { events, cursor } of client.eventPages()) {
  for (const event of events) console.log(event.type, event.id);
  console.log('The next request begins after', cursor);
}
// #endregion
