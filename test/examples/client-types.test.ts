import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';

interface Contract {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const SCHEMAS = [
  'CreateCartCheckoutRequest',
  'RetrievedCart',
  'CustomerInfo',
  'Price',
  'EventList',
  'CreateWebhookEndpointRequest',
  'UpdateWebhookEndpointRequest',
  'RotateWebhookSecretRequest',
  'CreatedWebhookEndpoint',
  'RotatedWebhookSecret',
  'SentWebhookEvent',
  'WebhookAttempt',
  'WebhookDelivery',
  'WebhookDeliveryList',
  'WebhookEndpoint',
  'WebhookEndpointEventData',
];

const CODES = Object.values(API_ERRORS).map(({ code }) => code);

test.each([
  ['cart-checkout.mjs', CODES],
  ['cart_checkout.py', CODES],
  // PHP has no type for them.
  ['CartCheckout.php', []],
])('the client %s declares each field and code of the contract', (name, codes) => {
  const source = readFileSync(`docs/clients/${name}`, 'utf8');
  const { schemas } = (JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Contract).components;
  const fields = SCHEMAS.flatMap((schema) => Object.keys(schemas[schema]!.properties!));
  expect(fields.length).toBeGreaterThan(20);
  const missing = [...fields, ...CART_STATUSES, ...codes].filter((word) => !source.includes(word));
  expect(missing).toStrictEqual([]);
});
