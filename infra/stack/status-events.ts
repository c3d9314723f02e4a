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
  /** The table of carts. Its stream carries new images. */
  readonly carts: TableV2;
  readonly eventBus: EventBus;
}

/**
 * Sends every change of a cart's status to the event bus: a managed pipe reads the table's stream. It retries a failed
 * event for 24 hours, as long as the stream keeps the record.
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
    // CloudFormation checks the source when it creates the pipe, so the permissions must exist before.
    pipe.node.addDependency(role);
  }
}
