import { LOCAL_BUS, localQueueUrl } from '../../../../infra/local-access/local-names.ts';
import { queueSettings } from '../../../../infra/stage/queues.ts';
import { tableSettings } from '../../../../infra/stage/tables.ts';
import { variablesOf } from '../../../../lib/settings/settings.ts';
import type { TestDatabase } from '../../../support/database/database.ts';

/**
 * Sets the environment of the stage's functions, and returns the function that restores the former one. Vitest would remove stubs
 * before each test.
 */
export const setEnvironment = (database: TestDatabase, endpoint: string): (() => void) => {
  const variables: Record<string, string> = {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
    ...variablesOf({
      ...tableSettings(database.tableNames),
      eventBusName: LOCAL_BUS,
      ...queueSettings((name) => localQueueUrl(endpoint, name)),
      webhookLoopback: 'true',
    }),
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
};
