import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { ENV_NAMES } from '../../../../lib/env-names.ts';

/**
 * The environment of a function: the local stage's tables on a database of this machine, and nothing of the caller's, whose
 * credentials and proxies would make the SDK do other work.
 */
export const functionEnvironment = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  [ENV_NAMES.stageName]: 'bench',
  [ENV_NAMES.apiKeysTable]: LOCAL_TABLE_NAMES.apiKeys,
  [ENV_NAMES.productsTable]: LOCAL_TABLE_NAMES.products,
  [ENV_NAMES.cartsTable]: LOCAL_TABLE_NAMES.carts,
  [ENV_NAMES.liveCheckoutUrl]: 'https://checkout.invalid',
  [ENV_NAMES.sandboxCheckoutUrl]: 'https://checkout.invalid',
  [ENV_NAMES.cartExpirySeconds]: '86400',
  [ENV_NAMES.cartRetentionSeconds]: '2592000',
});
