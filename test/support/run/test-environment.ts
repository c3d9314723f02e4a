import { variablesOf } from '../../../lib/settings/settings.ts';
import { TEST_SETTINGS } from '../functions/test-settings.ts';

/** The variables of each test. The functions read theirs on import; tests then compose them anew, on tables of their own. */
export const TEST_ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_REGION: 'local',
  // A function that reads the database on import reaches none.
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  ...variablesOf(TEST_SETTINGS),
  // The programs in Go, such as esbuild, collect no garbage: up to a quarter less CPU, for tens of megabytes more.
  GOGC: 'off',
};
