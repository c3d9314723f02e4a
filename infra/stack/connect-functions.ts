import type { EventBus } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type FunctionName, FUNCTIONS } from '../../functions/function-needs.ts';
import { SANDBOX_CHECKOUT_PATH } from '../../functions/operations.ts';
import { BUS_SOURCE } from '../../lib/events/bus.ts';
import { type Setting, type TableSetting, variableOf } from '../../lib/settings/settings.ts';
import { QUEUE_NAMES, type QueueDefinition, QUEUES, queueSettings } from '../stage/queues.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { permitMerchantAudit } from './audit-logs.ts';
import { restrictSenders } from './events/bus-senders.ts';
import { BUS_TYPES } from './events/bus-types.ts';
import type { EventPaths } from './events/event-paths.ts';
import { sourceHashKey } from './source-hash-key.ts';

/** The parts of a stage that settings name. */
interface NamedParts extends Pick<EventPaths, 'eventBus' | 'queues'> {
  readonly publicUrl: string;
  readonly errorsUrl: string;
  readonly auditLogs: LogGroup;
}

/** The value of each setting of a stage. `Database.grant` sets the names of the tables. */
const settingsOf = (
  scope: Construct,
  { name, liveCheckoutUrl, cartLifetime, personalDataDays, allowsLoopbackWebhooks }: StageConfig,
  parts: NamedParts,
): Readonly<Record<Exclude<Setting, TableSetting>, string | undefined>> => {
  const { publicUrl, errorsUrl, eventBus, queues, auditLogs } = parts;
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
    eventBusName: eventBus.eventBusName,
    ...queueSettings((queue) => queues[queue].queueUrl),
    auditLogGroup: auditLogs.logGroupName,
    webhookLoopback: allowsLoopbackWebhooks ? 'true' : undefined,
  };
};

/**
 * Lets a function send only events of this service, of its own types: it cannot send a payment. Both condition keys are lists in
 * IAM's reference. `ForAllValues` also holds for a request without the key, so the key must be there.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridge.html
 */
const permitEvents = (to: Function, eventBus: EventBus, types: readonly string[]): void => {
  to.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutEvents'],
      resources: [eventBus.eventBusArn],
      conditions: {
        'ForAllValues:StringEquals': { 'events:source': BUS_SOURCE },
        'ForAllValues:StringLike': { 'events:detail-type': types },
        Null: { 'events:source': 'false', 'events:detail-type': 'false' },
      },
    }),
  );
};

/** Connects each function with the parts of the stage that its settings name: their values, and the permission to send. */
export const connectFunctions = (
  scope: Construct,
  config: StageConfig,
  functions: ReadonlyMap<FunctionName, Function>,
  parts: NamedParts,
): void => {
  const values: Readonly<Partial<Record<Setting, string | undefined>>> = settingsOf(scope, config, parts);
  const { eventBus, queues } = parts;
  const publishers: IRole[] = [];
  for (const [name, lambda] of functions) {
    const settings: readonly Setting[] = FUNCTIONS[name].settings;
    if (settings.includes('auditLogGroup')) permitMerchantAudit(lambda, parts.auditLogs);
    if (settings.includes('eventBusName')) {
      // `BUS_TYPES` has every function with this setting.
      permitEvents(lambda, eventBus, BUS_TYPES[name as keyof typeof BUS_TYPES]);
      publishers.push(lambda.role as IRole);
    }
    for (const queue of QUEUE_NAMES) {
      const { takesFromFunctions }: QueueDefinition = QUEUES[queue];
      const isSender = settings.some((setting) => setting === `${queue}QueueUrl`);
      if (takesFromFunctions && isSender) queues[queue].grant(lambda, 'sqs:SendMessage');
    }
    for (const setting of settings) {
      const value = values[setting];
      if (value !== undefined) lambda.addEnvironment(variableOf(setting), value);
    }
  }
  restrictSenders(eventBus, config.paymentSenders, publishers);
};
