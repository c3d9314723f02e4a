import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { EventFunctionName } from '../../../functions/event-functions.ts';
import type { QueueName } from '../../stage/queues.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import type { Database } from '../database/database.ts';
import { addFunction, type ServiceFunction } from '../functions/service-function.ts';
import { runEveryMinute } from './every-minute.ts';
import { addFanOut } from './fan-out.ts';
import { addPayments } from './payments.ts';
import { addWebhooks } from './webhooks.ts';

/** Payments come in from the bus. Events go out to the bus and the webhooks. */
export type EventPaths = ReturnType<typeof addEventPaths>;

/** Adds the functions that events invoke, with their queues, streams and schedule. */
export const addEventPaths = (scope: Construct, config: StageConfig, database: Database) => {
  const add = (name: EventFunctionName): ServiceFunction => addFunction(scope, name, config, database);
  const recordPayment = add('record-payment');
  const fanOutEvents = add('fan-out-events');
  const runTimers = add('run-timers');
  const deliver = add('deliver-webhooks');
  const { eventBus, queues } = addPayments(scope, config, recordPayment);
  const fanOutQueues = addFanOut(scope, config, database.tables.events, fanOutEvents);
  const webhookQueues = addWebhooks(scope, config, deliver);
  runEveryMinute(scope, 'EveryMinute', runTimers);
  return {
    eventBus,
    queues: { ...queues, ...fanOutQueues, ...webhookQueues } satisfies Readonly<Record<QueueName, Queue>>,
    /** The functions of the paths. */
    functions: [
      ['record-payment', recordPayment],
      ['fan-out-events', fanOutEvents],
      ['run-timers', runTimers],
      ['deliver-webhooks', deliver],
    ] as const,
  };
};
