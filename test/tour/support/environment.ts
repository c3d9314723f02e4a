import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';

/** The folders that npm and npx put before the user's own. The first of them has the Node.js 24 of the packages. */
const FOLDERS_OF_NPM = [join('node_modules', '.bin'), 'node-gyp-bin'];

/** `PATH` as it was before npm ran. The machine's `node` may be the oldest that the documents support. */
const userPath = (): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !FOLDERS_OF_NPM.some((ofNpm) => folder.endsWith(sep + ofNpm)))
    .join(delimiter);

/**
 * The environment of a command as a user types it: without the settings of npm and the test runner, and with a temporary folder
 * of its own. No command can reach AWS, even if it names no address of an emulator.
 */
export const userEnvironment = (): Record<string, string> => {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:AWS_|VITEST|NODE$|NODE_ENV|npm_|INIT_CWD)/.test(name),
  );
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    PATH: userPath(),
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
