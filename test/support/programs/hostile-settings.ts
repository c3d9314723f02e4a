import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A developer's configuration of AWS with which every call fails or reaches AWS. */
export const givenHostileSettings = (): Record<string, string> => {
  const home = mkdtempSync(join(tmpdir(), 'aws-settings-'));
  const config = join(home, '.aws/config');
  mkdirSync(join(home, '.aws'));
  const settings = `[default]
region = eu-west-1
use_fips_endpoint = true
use_dualstack_endpoint = true
ignore_configured_endpoint_urls = true
endpoint_url = http://127.0.0.1:1
max_attempts = 1
aws_access_key_id = AKIAREALREALREALREAL
aws_secret_access_key = real
[profile other]
credential_process = false
`;
  // The files that the SDK reads without a variable.
  for (const file of [config, join(home, '.aws/credentials')]) writeFileSync(file, settings);
  return {
    HOME: home,
    AWS_CONFIG_FILE: config,
    AWS_SHARED_CREDENTIALS_FILE: config,
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_USE_DUALSTACK_ENDPOINT: 'true',
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    AWS_PROFILE: 'other',
    AWS_SESSION_TOKEN: 'real',
    AWS_ACCESS_KEY_ID: 'AKIAREALREALREALREAL',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_MAX_ATTEMPTS: 'x',
    AWS_RETRY_MODE: 'x',
    AWS_ACCOUNT_ID_ENDPOINT_MODE: 'x',
    AWS_STS_REGIONAL_ENDPOINTS: 'x',
    AWS_DEFAULTS_MODE: 'x',
  };
};
