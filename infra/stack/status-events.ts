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
  /** The tables of carts. Their streams carry new images. */
  readonly carts: TableV2;
  readonly testCarts: TableV2;
  readonly eventBus: EventBus;
}

/**
 * Sends every change of a cart's status to the event bus: a managed pipe reads each table's stream. It retries a failed
 * event for 24 hours, as long as the stream keeps the record.
 */
export class StatusEvents extends Construct {
  readonly pipeName: string;
  readonly testPipeName: string;

  constructor(scope: Construct, id: string, { carts, testCarts, eventBus }: StatusEventsProps) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('pipes.amazonaws.com') });
    this.pipeName = this.#pipe('Pipe', carts, eventBus, role);
    this.testPipeName = this.#pipe('TestPipe', testCarts, eventBus, role);
    eventBus.grantPutEventsTo(role);
  }

  /** Adds the pipe of a table. Returns its name. */
  #pipe(id: string, carts: TableV2, eventBus: EventBus, role: Role): string {
    carts.grantStreamRead(role);
    const pipe = new CfnPipe(this, id, {
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
    // CloudFormation checks the source when it creates the pipe, so the permissions must exist before.
    pipe.node.addDependency(role);
    return pipe.ref;
  }
}
