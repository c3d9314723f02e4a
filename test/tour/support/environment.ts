import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The environment of a command as a user types it: without the settings of the test runner, and with a temporary folder of its
 * own. No command can reach AWS, even if it names no address of an emulator.
 */
export const userEnvironment = (): Record<string, string> => {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:AWS_|VITEST|NODE_ENV)/.test(name));
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    NO_COLOR: '1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    TMPDIR: mkdtempSync(join(tmpdir(), 'cart-checkout-tour-')),
  };
};
