import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import { BUS_SOURCE } from '../../lib/events/bus.ts';
import { BUS_TYPES } from './permissions.ts';

/** The resources that the functions of events send to. */
export interface EventTargets {
  readonly eventBus: EventBus;
  readonly deliveries: IQueue;
  readonly setAside: IQueue;
}

/** Lets a function send only events of this service, of its own types: it cannot send a payment. */
const permitOwnEvents = (to: Function, eventBus: EventBus, types: readonly string[]): void =>
  to.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutEvents'],
      resources: [eventBus.eventBusArn],
      conditions: {
        StringEquals: { 'events:source': BUS_SOURCE },
        StringLike: { 'events:detail-type': types },
      },
    }),
  );

const permitMessages = (to: Function, queue: IQueue): string => {
  queue.grant(to, 'sqs:SendMessage');
  return queue.queueUrl;
};

/** Permits a function the use of the resource that each variable names. Returns the variable's value. */
const CONNECTIONS = {
  eventBusName: (to: Function, { eventBus }: EventTargets, functionName: string) => {
    // BUS_TYPES has every function with this variable.
    permitOwnEvents(to, eventBus, BUS_TYPES[functionName as keyof typeof BUS_TYPES]);
    return eventBus.eventBusName;
  },
  deliveryQueueUrl: (to: Function, { deliveries }: Pick<EventTargets, 'deliveries'>) =>
    permitMessages(to, deliveries),
  setAsideQueueUrl: (to: Function, { setAside }: EventTargets) => permitMessages(to, setAside),
} as const;

export type ConnectionVariable = keyof typeof CONNECTIONS;

/** Whether a variable names a resource that a function sends to. */
export const isConnection = (name: string): name is ConnectionVariable => Object.hasOwn(CONNECTIONS, name);

/**
 * Gives a function these variables, each with the permission to use its resource.
 *
 * @param functionName its name in `functions/operations.ts`
 */
export const connect = (
  to: Function,
  functionName: string,
  variables: readonly ConnectionVariable[],
  targets: EventTargets,
): void => {
  for (const name of variables) {
    to.addEnvironment(ENV_NAMES[name], CONNECTIONS[name](to, targets, functionName));
  }
};
