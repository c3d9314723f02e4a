import type { EventBus } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { type EventFunctionName, FUNCTIONS } from '../../functions/function-needs.ts';
import type { Setting } from '../../lib/settings/settings.ts';
import { BUS_SOURCE } from '../../lib/events/bus.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { permitMerchantAudit } from './audit-logs.ts';
import { restrictSenders } from './bus-senders.ts';
import type { Database } from './database.ts';
import { runEveryMinute } from './every-minute.ts';
import { addFanOut } from './fan-out.ts';
import { addPayments } from './payments.ts';
import { BUS_TYPES } from './permissions.ts';
import { ServiceFunction } from './service-function.ts';
import { addWebhooks } from './webhooks.ts';

type FunctionName = Exclude<EventFunctionName, 'canary'>;

/** Payments come in from the bus. Events about carts go out to the bus and the webhooks. */
export interface EventPaths {
  readonly payments: ReturnType<typeof addPayments>;
  readonly fanOut: ReturnType<typeof addFanOut>;
  readonly webhooks: ReturnType<typeof addWebhooks>;
  /** The functions of the paths. */
  readonly functions: ReadonlyMap<FunctionName, ServiceFunction>;
}

/** The queues to which functions send, by the settings with their addresses. */
export const sentQueues = ({ webhooks, fanOut }: Pick<EventPaths, 'webhooks' | 'fanOut'>) =>
  ({
    deliveryQueueUrl: webhooks.queues.live.quick,
    testDeliveryQueueUrl: webhooks.queues.test.quick,
    slowDeliveryQueueUrl: webhooks.queues.live.slow,
    slowTestDeliveryQueueUrl: webhooks.queues.test.slow,
    setAsideQueueUrl: fanOut.setAside,
  }) satisfies Partial<Record<Setting, Queue>>;

/** Lets a function send to those queues whose addresses are among its settings. */
export const permitMessages = (
  to: Function,
  settings: readonly Setting[],
  paths: Pick<EventPaths, 'webhooks' | 'fanOut'>,
): void => {
  for (const [setting, queue] of Object.entries(sentQueues(paths))) {
    if (settings.includes(setting as Setting)) queue.grant(to, 'sqs:SendMessage');
  }
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

/** Adds the functions that events invoke, with their queues, streams and schedule. */
export const addEventPaths = (
  scope: Construct,
  config: StageConfig,
  database: Database,
  auditLogs: LogGroup,
): EventPaths => {
  const add = (name: FunctionName): ServiceFunction => {
    const lambda = new ServiceFunction(scope, name, config);
    database.grant(lambda, FUNCTIONS[name].access);
    return lambda;
  };
  const recordPayment = add('record-payment');
  const fanOutEvents = add('fan-out-events');
  const runDue = add('run-due');
  const deliver = add('deliver-webhooks');

  const payments = addPayments(scope, config, recordPayment);
  const fanOut = addFanOut(scope, config, database.tables.events, fanOutEvents);
  const webhooks = addWebhooks(scope, config, deliver);
  permitMerchantAudit(fanOutEvents, auditLogs);
  runEveryMinute(scope, 'EveryMinute', runDue);

  const functions = new Map<FunctionName, ServiceFunction>([
    ['record-payment', recordPayment],
    ['fan-out-events', fanOutEvents],
    ['run-due', runDue],
    ['deliver-webhooks', deliver],
  ]);
  const { eventBus } = payments;
  const publishers: IRole[] = [];
  for (const [name, lambda] of functions) {
    const { settings } = FUNCTIONS[name];
    if (settings.includes('eventBusName')) {
      // `BUS_TYPES` has every function with this setting.
      permitEvents(lambda, eventBus, BUS_TYPES[name as keyof typeof BUS_TYPES]);
      publishers.push(lambda.role as IRole);
    }
    permitMessages(lambda, settings, { webhooks, fanOut });
  }
  restrictSenders(eventBus, config.paymentSenders, publishers);
  return { payments, fanOut, webhooks, functions };
};
