import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Construct } from 'constructs';
import {
  CART_EVENT_SOURCE,
  STATUS_CHANGED,
  STATUS_CHANGED_FILTER,
  STATUS_CHANGED_TEMPLATE,
} from '../status-changed-event.ts';

export interface StatusEventsProps {
  /** The table of carts, with a stream of new images. */
  readonly carts: TableV2;
  readonly eventBus: EventBus;
}

/**
 * Tells every change of a cart's status on the event bus, from the table's stream by a managed pipe. What the bus would
 * not take is tried until it does, for as long as the stream keeps it: 24 hours.
 */
export class StatusEvents extends Construct {
  readonly pipeName: string;

  constructor(scope: Construct, id: string, { carts, eventBus }: StatusEventsProps) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('pipes.amazonaws.com') });
    carts.grantStreamRead(role);
    eventBus.grantPutEventsTo(role);
    const pipe = new CfnPipe(this, 'Pipe', {
      roleArn: role.roleArn,
      source: carts.tableStreamArn ?? '',
      sourceParameters: {
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: 1,
        },
        filterCriteria: { filters: [{ pattern: JSON.stringify(STATUS_CHANGED_FILTER) }] },
      },
      target: eventBus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: { source: CART_EVENT_SOURCE, detailType: STATUS_CHANGED },
        inputTemplate: STATUS_CHANGED_TEMPLATE,
      },
    });
    this.pipeName = pipe.ref;
    // The pipe looks at its source as it is made, so its permissions must be there.
    pipe.node.addDependency(role);
  }
}
