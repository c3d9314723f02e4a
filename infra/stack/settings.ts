import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { SANDBOX_CHECKOUT_PATH } from '../../functions/operations.ts';
import { type TableSetting, type Setting, variableOf } from '../../lib/settings/settings.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { type EventPaths, sentQueues } from './event-paths.ts';
import { sourceHashKey } from './source-hash-key.ts';

/** The value of each setting of a stage. `Database.grant` sets the names of the tables. */
export type StageSettings = Readonly<Record<Exclude<Setting, TableSetting>, string | undefined>>;

/** The parts of a stage that settings name. */
interface NamedParts extends Pick<EventPaths, 'payments' | 'fanOut' | 'webhooks'> {
  readonly publicUrl: string;
  readonly errorsUrl: string;
  readonly auditLogs: LogGroup;
}

/** The settings of a stage. */
export const settingsOf = (
  scope: Construct,
  { name, liveCheckoutUrl, cartLifetime, personalDataDays, allowsLoopbackWebhooks }: StageConfig,
  parts: NamedParts,
): StageSettings => {
  const { publicUrl, errorsUrl, payments, auditLogs } = parts;
  const queues = sentQueues(parts);
  return {
    stageName: name,
    publicUrl,
    errorsUrl,
    liveCheckoutUrl,
    sandboxCheckoutUrl: `${publicUrl}${SANDBOX_CHECKOUT_PATH}`,
    cartExpirySeconds: String(cartLifetime.expirySeconds),
    cartRetentionSeconds: String(cartLifetime.retentionSeconds),
    personalDataDays: String(personalDataDays),
    sourceHashKey: sourceHashKey(scope),
    eventBusName: payments.eventBus.eventBusName,
    paymentsQueueUrl: payments.queue.queueUrl,
    deliveryQueueUrl: queues.deliveryQueueUrl.queueUrl,
    testDeliveryQueueUrl: queues.testDeliveryQueueUrl.queueUrl,
    slowDeliveryQueueUrl: queues.slowDeliveryQueueUrl.queueUrl,
    slowTestDeliveryQueueUrl: queues.slowTestDeliveryQueueUrl.queueUrl,
    setAsideQueueUrl: queues.setAsideQueueUrl.queueUrl,
    auditLogGroup: auditLogs.logGroupName,
    webhookLoopback: allowsLoopbackWebhooks ? 'true' : undefined,
  };
};

/** Sets the environment variables of a function's settings. */
export const addSettings = (to: Function, names: readonly Setting[], settings: StageSettings): void => {
  for (const name of names) {
    const value = settings[name as keyof StageSettings];
    if (value !== undefined) to.addEnvironment(variableOf(name), value);
  }
};
