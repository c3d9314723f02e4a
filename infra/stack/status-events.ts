import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Construct } from 'constructs';
import { CART_EVENT_SOURCE, CART_EVENTS, type CartEventType, templateOf } from '../cart-events.ts';

export interface StatusEventsProps {
  /** The tables of carts. Their streams carry new images. */
  readonly carts: TableV2;
  readonly testCarts: TableV2;
  readonly eventBus: EventBus;
}

/**
 * The part of a filter that selects test carts. The public sandbox writes to their table, which must never cause an event
 * about a live cart.
 */
const IS_TEST_CART = { mode: { S: ['test'] } };

/**
 * Sends every change of a cart's status and every duplicate payment to the event bus. Each table and type of event has
 * its own managed pipe, because a pipe has one template. A stream serves at most two readers well. A pipe retries a
 * failed event for 24 hours, as long as the stream keeps the record.
 */
export class StatusEvents extends Construct {
  readonly role: Role;
  readonly pipeName: string;
  readonly testPipeName: string;
  readonly duplicatesPipeName: string;
  readonly testDuplicatesPipeName: string;
  readonly #eventBus: EventBus;

  constructor(scope: Construct, id: string, { carts, testCarts, eventBus }: StatusEventsProps) {
    super(scope, id);
    this.#eventBus = eventBus;
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('pipes.amazonaws.com') });
    for (const table of [carts, testCarts]) table.grantStreamRead(this.role);
    eventBus.grantPutEventsTo(this.role);
    this.pipeName = this.#pipe('Pipe', carts, 'cart.status_changed');
    this.testPipeName = this.#pipe('TestPipe', testCarts, 'cart.status_changed', IS_TEST_CART);
    this.duplicatesPipeName = this.#pipe('DuplicatesPipe', carts, 'cart.duplicate_payment');
    this.testDuplicatesPipeName = this.#pipe(
      'TestDuplicatesPipe',
      testCarts,
      'cart.duplicate_payment',
      IS_TEST_CART,
    );
  }

  /** Adds the pipe of a table and a type of event. Returns its name. */
  #pipe(id: string, carts: TableV2, type: CartEventType, required: object = {}): string {
    const { eventName, dynamodb } = CART_EVENTS[type].filter;
    const pattern = { eventName, dynamodb: { NewImage: { ...dynamodb.NewImage, ...required } } };
    const pipe = new CfnPipe(this, id, {
      roleArn: this.role.roleArn,
      source: carts.tableStreamArn ?? '',
      sourceParameters: {
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: 1,
        },
        filterCriteria: { filters: [{ pattern: JSON.stringify(pattern) }] },
      },
      target: this.#eventBus.eventBusArn,
      targetParameters: {
        eventBridgeEventBusParameters: { source: CART_EVENT_SOURCE, detailType: type },
        inputTemplate: templateOf(type),
      },
    });
    // CloudFormation checks the source when it creates the pipe, so the permissions must exist before.
    pipe.node.addDependency(this.role);
    return pipe.ref;
  }
}
