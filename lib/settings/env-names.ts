/** The names of the functions' environment variables. `lib/settings/env.ts` reads them and the stack sets them. */
export const ENV_NAMES = {
  stageName: 'STAGE_NAME',
  apiKeysTable: 'API_KEYS_TABLE',
  productsTable: 'PRODUCTS_TABLE',
  cartsTable: 'CARTS_TABLE',
  testCartsTable: 'TEST_CARTS_TABLE',
  secretsTable: 'SECRETS_TABLE',
  storesTable: 'STORES_TABLE',
  eventsTable: 'EVENTS_TABLE',
  webhookEndpointsTable: 'WEBHOOK_ENDPOINTS_TABLE',
  deliveriesTable: 'DELIVERIES_TABLE',
  erasuresTable: 'ERASURES_TABLE',
  liveCheckoutUrl: 'LIVE_CHECKOUT_URL',
  sandboxCheckoutUrl: 'SANDBOX_CHECKOUT_URL',
  cartExpirySeconds: 'CART_EXPIRY_SECONDS',
  cartRetentionSeconds: 'CART_RETENTION_SECONDS',
  personalDataDays: 'PERSONAL_DATA_DAYS',
  sourceHashKey: 'SOURCE_HASH_KEY',
  errorsUrl: 'ERRORS_URL',
  publicUrl: 'PUBLIC_URL',
  eventBusName: 'EVENT_BUS_NAME',
  paymentsQueueUrl: 'PAYMENTS_QUEUE_URL',
  deliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  testDeliveryQueueUrl: 'TEST_DELIVERY_QUEUE_URL',
  slowDeliveryQueueUrl: 'SLOW_DELIVERY_QUEUE_URL',
  slowTestDeliveryQueueUrl: 'SLOW_TEST_DELIVERY_QUEUE_URL',
  setAsideQueueUrl: 'SET_ASIDE_QUEUE_URL',
  webhookLoopback: 'WEBHOOK_LOOPBACK',
  auditLogGroup: 'AUDIT_LOG_GROUP',
} as const;

/** The variable with the commit of a deployed function. A local stage has none. */
export const COMMIT_VARIABLE = 'COMMIT';

/** The addresses of the delivery queues: two for each mode. */
export const DELIVERY_QUEUE_VARIABLES = [
  'deliveryQueueUrl',
  'testDeliveryQueueUrl',
  'slowDeliveryQueueUrl',
  'slowTestDeliveryQueueUrl',
] as const satisfies readonly (keyof typeof ENV_NAMES)[];
