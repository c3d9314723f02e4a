/** The names of the functions' environment variables. `lib/env.ts` reads them and the stack sets them. */
export const ENV_NAMES = {
  stageName: 'STAGE_NAME',
  apiKeysTable: 'API_KEYS_TABLE',
  productsTable: 'PRODUCTS_TABLE',
  cartsTable: 'CARTS_TABLE',
  testCartsTable: 'TEST_CARTS_TABLE',
  secretsTable: 'SECRETS_TABLE',
  canaryTable: 'CANARY_TABLE',
  liveCheckoutUrl: 'LIVE_CHECKOUT_URL',
  sandboxCheckoutUrl: 'SANDBOX_CHECKOUT_URL',
  cartExpirySeconds: 'CART_EXPIRY_SECONDS',
  cartRetentionSeconds: 'CART_RETENTION_SECONDS',
  sourceHashKey: 'SOURCE_HASH_KEY',
  publicUrl: 'PUBLIC_URL',
} as const;
