import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { tableSettings } from '../../../../infra/stage/tables.ts';
import { variablesOf } from '../../../../lib/settings/settings.ts';
import { TEST_SETTINGS } from '../../../support/functions/test-settings.ts';

/**
 * The environment of a function: the local stage's tables in a database on this machine. It excludes the caller's
 * environment, because credentials and proxies there change the work of the SDK.
 */
export const functionEnvironment = (endpoint: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  ...variablesOf({ ...TEST_SETTINGS, ...tableSettings(LOCAL_TABLE_NAMES), stageName: 'bench' }),
});

/** Makes a folder that is removed when this process exits, also after a failure. */
export const makeTemporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-bench-'));
  // A database that is still ending may write once more.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  process.once('exit', () => rmSync(folder, options));
  return folder;
};
