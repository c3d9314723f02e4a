import { expect, it } from 'vitest';
import type { FunctionName } from '../../../functions/operations.ts';
import { productionStage } from './template.ts';

const production = productionStage().template;

/** A list for each function. The compiler reports a missing one. */
type ByFunction = Readonly<Record<FunctionName, readonly string[]>>;

const idOf = (functionName: string): string =>
  functionName.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

const HTTP = ['COMMIT', 'ERRORS_URL', 'SOURCE_HASH_KEY'];

/** Besides the stage's name. */
const variables: ByFunction = {
  'get-cart': [
    ...HTTP,
    'API_KEYS_TABLE',
    'CARTS_TABLE',
    'LIVE_CHECKOUT_URL',
    'SANDBOX_CHECKOUT_URL',
    'STORES_TABLE',
    'TEST_CARTS_TABLE',
  ],
  'create-cart-checkout': [
    ...HTTP,
    'API_KEYS_TABLE',
    'CARTS_TABLE',
    'CART_EXPIRY_SECONDS',
    'CART_RETENTION_SECONDS',
    'LIVE_CHECKOUT_URL',
    'PRODUCTS_TABLE',
    'SANDBOX_CHECKOUT_URL',
    'SECRETS_TABLE',
    'TEST_CARTS_TABLE',
  ],
  'expire-cart': [...HTTP, 'API_KEYS_TABLE', 'CARTS_TABLE', 'EVENTS_TABLE', 'TEST_CARTS_TABLE'],
  'list-events': [...HTTP, 'API_KEYS_TABLE', 'EVENTS_TABLE'],
  'webhook-endpoints': [
    ...HTTP,
    'API_KEYS_TABLE',
    'DELIVERIES_TABLE',
    'DELIVERY_QUEUE_URL',
    'TEST_DELIVERY_QUEUE_URL',
    'SLOW_DELIVERY_QUEUE_URL',
    'SLOW_TEST_DELIVERY_QUEUE_URL',
    'EVENTS_TABLE',
    'PUBLIC_URL',
    'SECRETS_TABLE',
    'WEBHOOK_ENDPOINTS_TABLE',
  ],
  'record-payment': ['CARTS_TABLE', 'EVENTS_TABLE', 'PAYMENTS_QUEUE_URL', 'TEST_CARTS_TABLE'],
  'sandbox-checkout': [...HTTP, 'EVENTS_TABLE', 'STORES_TABLE', 'TEST_CARTS_TABLE'],
  canary: ['PUBLIC_URL', 'SECRETS_TABLE'],
  'fan-out-events': [
    'AUDIT_LOG_GROUP',
    'DELIVERY_QUEUE_URL',
    'TEST_DELIVERY_QUEUE_URL',
    'SLOW_DELIVERY_QUEUE_URL',
    'SLOW_TEST_DELIVERY_QUEUE_URL',
    'EVENT_BUS_NAME',
    'SET_ASIDE_QUEUE_URL',
    'STORES_TABLE',
    'WEBHOOK_ENDPOINTS_TABLE',
  ],
  'run-due': [
    'CARTS_TABLE',
    'DELIVERIES_TABLE',
    'DELIVERY_QUEUE_URL',
    'TEST_DELIVERY_QUEUE_URL',
    'SLOW_DELIVERY_QUEUE_URL',
    'SLOW_TEST_DELIVERY_QUEUE_URL',
    'EVENTS_TABLE',
    'PERSONAL_DATA_DAYS',
    'TEST_CARTS_TABLE',
    'WEBHOOK_ENDPOINTS_TABLE',
  ],
  'deliver-webhooks': [
    'DELIVERIES_TABLE',
    'DELIVERY_QUEUE_URL',
    'TEST_DELIVERY_QUEUE_URL',
    'SLOW_DELIVERY_QUEUE_URL',
    'SLOW_TEST_DELIVERY_QUEUE_URL',
    'EVENTS_TABLE',
    'EVENT_BUS_NAME',
    'SECRETS_TABLE',
    'STORES_TABLE',
    'WEBHOOK_ENDPOINTS_TABLE',
  ],
};

it.each(Object.entries(variables))('%s has these environment variables and no other', (name, names) => {
  const functions = Object.entries(production.findResources('AWS::Lambda::Function'));
  const [, resource] = functions.find(([logicalId]) => logicalId.startsWith(idOf(name))) ?? [];
  const { Properties } = resource as { Properties: { Environment: { Variables: object } } };
  expect(Object.keys(Properties.Environment.Variables).toSorted()).toStrictEqual(
    ['STAGE_NAME', ...names].toSorted(),
  );
});
