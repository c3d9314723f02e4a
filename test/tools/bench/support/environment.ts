import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { ENV_NAMES } from '../../../../lib/env-names.ts';

/**
 * The environment of a function: the local stage's tables in a database on this machine. It excludes the caller's
 * environment, because credentials and proxies there change the work of the SDK.
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
  [ENV_NAMES.testCartsTable]: LOCAL_TABLE_NAMES.testCarts,
  [ENV_NAMES.secretsTable]: LOCAL_TABLE_NAMES.secrets,
  [ENV_NAMES.liveCheckoutUrl]: 'https://checkout.invalid',
  [ENV_NAMES.sandboxCheckoutUrl]: 'https://checkout.invalid',
  [ENV_NAMES.cartExpirySeconds]: '86400',
  [ENV_NAMES.cartRetentionSeconds]: '2592000',
  [ENV_NAMES.sourceHashKey]: '0'.repeat(64),
  [ENV_NAMES.errorsUrl]: 'https://api.invalid/errors',
});

/** Makes a folder that is removed when this process exits, also after a failure. */
export const makeTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
