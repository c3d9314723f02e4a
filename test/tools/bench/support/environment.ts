import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import type { TableKind } from '../../../../infra/stage/tables.ts';
import { ENV_NAMES } from '../../../../lib/settings/env-names.ts';

const TABLES = Object.fromEntries(
  Object.entries(LOCAL_TABLE_NAMES).map(([kind, name]) => [ENV_NAMES[`${kind as TableKind}Table`], name]),
);

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
  ...TABLES,
  [ENV_NAMES.liveCheckoutUrl]: 'https://checkout.invalid',
  [ENV_NAMES.sandboxCheckoutUrl]: 'https://checkout.invalid',
  [ENV_NAMES.cartExpirySeconds]: '86400',
  [ENV_NAMES.cartRetentionSeconds]: '2592000',
  [ENV_NAMES.personalDataDays]: '730',
  [ENV_NAMES.sourceHashKey]: '0'.repeat(64),
  [ENV_NAMES.publicUrl]: 'https://api.invalid',
  [ENV_NAMES.eventBusName]: 'events',
  [ENV_NAMES.paymentsQueueUrl]: 'https://queue.invalid/payments',
  [ENV_NAMES.deliveryQueueUrl]: 'https://queue.invalid/deliveries',
  [ENV_NAMES.testDeliveryQueueUrl]: 'https://queue.invalid/test-deliveries',
  [ENV_NAMES.slowDeliveryQueueUrl]: 'https://queue.invalid/slow-deliveries',
  [ENV_NAMES.slowTestDeliveryQueueUrl]: 'https://queue.invalid/slow-test-deliveries',
  [ENV_NAMES.setAsideQueueUrl]: 'https://queue.invalid/set-aside',
  [ENV_NAMES.errorsUrl]: 'https://api.invalid/errors',
});

/** Makes a folder that is removed when this process exits, also after a failure. */
export const makeTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-bench-'));
  // A database that is still ending may write once more.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  process.once('exit', () => rmSync(folder, options));
  return folder;
};
