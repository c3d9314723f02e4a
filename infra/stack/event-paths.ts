import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { EVENT_FUNCTIONS } from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { StageConfig } from '../stages.ts';
import { permitMerchantAudit } from './audit-logs.ts';
import { restrictSenders } from './bus-senders.ts';
import type { Database } from './database.ts';
import { connect, type ConnectionVariable, isConnection } from './event-connections.ts';
import { runEveryMinute } from './every-minute.ts';
import { FanOut } from './fan-out.ts';
import { Payments } from './payments.ts';
import { ServiceFunction } from './service-function.ts';
import { Webhooks } from './webhooks.ts';

const { canary: _canary, ...FUNCTIONS } = EVENT_FUNCTIONS;

type FunctionName = keyof typeof FUNCTIONS;

/** Payments come in from the bus. Events about carts go out to the bus and the webhooks. */
export interface EventPaths {
  readonly payments: Payments;
  readonly fanOut: FanOut;
  readonly webhooks: Webhooks;
  /** The functions of the paths. */
  readonly functions: ReadonlyMap<FunctionName, ServiceFunction>;
}

const variablesOf = (name: FunctionName): readonly ConnectionVariable[] =>
  FUNCTIONS[name].variables.filter(isConnection);

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

  const { events } = database;
  const payments = new Payments(scope, 'Payments', { ...config, recordPayment });
  const fanOut = new FanOut(scope, 'FanOut', { ...config, events, fanOut: fanOutEvents });
  const webhooks = new Webhooks(scope, 'Webhooks', { ...config, deliver });
  if (config.allowsLoopbackWebhooks) deliver.addEnvironment(ENV_NAMES.webhookLoopback, 'true');
  permitMerchantAudit(fanOutEvents, auditLogs);
  runDue.addEnvironment(ENV_NAMES.personalDataDays, String(config.personalDataDays));
  runEveryMinute(scope, 'EveryMinute', runDue);

  const functions = new Map<FunctionName, ServiceFunction>([
    ['record-payment', recordPayment],
    ['fan-out-events', fanOutEvents],
    ['run-due', runDue],
    ['deliver-webhooks', deliver],
  ]);
  const { eventBus } = payments;
  const targets = { eventBus, deliveries: webhooks.queue, setAside: fanOut.setAside };
  for (const [name, lambda] of functions) connect(lambda, name, variablesOf(name), targets);
  const publishers = [...functions].filter(([name]) => variablesOf(name).includes('eventBusName'));
  const roles = publishers.map(([, { role }]) => role as IRole);
  restrictSenders(eventBus, config.paymentSenders, roles);
  return { payments, fanOut, webhooks, functions };
};
