import { LOCAL_BUS, localQueueUrl } from '../../../../infra/local/local-database.ts';
import type { TableKind } from '../../../../infra/stage/tables.ts';
import { ENV_NAMES } from '../../../../lib/settings/env-names.ts';
import type { TestDatabase } from '../../../support/database.ts';

/**
 * Sets the environment of the stage's functions, and returns the function that restores the former one. Vitest would remove stubs
 * before each test.
 */
export const setEnvironment = (database: TestDatabase, endpoint: string): (() => void) => {
  const tables = Object.entries(database.tableNames).map(([kind, name]) => [
    ENV_NAMES[`${kind as TableKind}Table`],
    name,
  ]);
  const variables: Record<string, string> = {
    ...Object.fromEntries(tables),
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
    AWS_LAMBDA_FUNCTION_NAME: 'local',
    [ENV_NAMES.eventBusName]: LOCAL_BUS,
    [ENV_NAMES.paymentsQueueUrl]: localQueueUrl(endpoint, 'payments'),
    [ENV_NAMES.deliveryQueueUrl]: localQueueUrl(endpoint, 'deliveries'),
    [ENV_NAMES.testDeliveryQueueUrl]: localQueueUrl(endpoint, 'test-deliveries'),
    [ENV_NAMES.slowDeliveryQueueUrl]: localQueueUrl(endpoint, 'slow-deliveries'),
    [ENV_NAMES.slowTestDeliveryQueueUrl]: localQueueUrl(endpoint, 'slow-test-deliveries'),
    [ENV_NAMES.setAsideQueueUrl]: localQueueUrl(endpoint, 'set-aside'),
    [ENV_NAMES.webhookLoopback]: 'true',
    [ENV_NAMES.personalDataDays]: '730',
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
