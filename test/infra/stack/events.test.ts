import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ephemeralTemplate, target } from './template.ts';

let ephemeral: Template;

beforeAll(() => {
  ephemeral = ephemeralTemplate();
});

interface Rule {
  readonly Properties: {
    readonly EventBusName: unknown;
    readonly EventPattern: object;
    readonly Targets: { readonly Arn: unknown; readonly DeadLetterConfig: { readonly Arn: unknown } }[];
  };
}

describe('payment events', () => {
  it("go from the stage's own bus to the queue, and what cannot be delivered to the dead letters", () => {
    const rules = Object.values(ephemeral.findResources('AWS::Events::Rule')) as Rule[];
    expect(rules).toHaveLength(1);
    const { EventBusName, EventPattern, Targets } = rules[0]!.Properties;
    expect(target(EventBusName)).toBe('PaymentsEventBus');
    expect(EventPattern).toStrictEqual({ 'detail-type': ['payment.succeeded', 'payment.failed'] });
    expect(
      Targets.map(({ Arn, DeadLetterConfig }) => [target(Arn), target(DeadLetterConfig.Arn)]),
    ).toStrictEqual([['PaymentsQueue', 'PaymentsDeadLetters']]);
  });

  it('are tried five times, each time for longer than the function may take, and are then kept for 14 days', () => {
    ephemeral.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 36,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }),
    });
    ephemeral.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 86_400,
      SqsManagedSseEnabled: true,
      RedrivePolicy: Match.absent(),
    });
  });

  it('are recorded one at a time, and only those that failed come again', () => {
    ephemeral.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });
});

interface Pipe {
  readonly Properties: {
    readonly Source: unknown;
    readonly Target: unknown;
    readonly SourceParameters: object;
    readonly TargetParameters: {
      readonly InputTemplate: string;
      readonly EventBridgeEventBusParameters: object;
    };
  };
}

describe('changes of status', () => {
  it("go from the table's stream to the bus, without code of ours on the way", () => {
    const [pipe] = Object.values(ephemeral.findResources('AWS::Pipes::Pipe')) as Pipe[];
    const { Source, Target, SourceParameters, TargetParameters } = pipe!.Properties;
    expect([target(Source), target(Target)]).toStrictEqual(['DatabaseCarts', 'PaymentsEventBus']);
    expect(SourceParameters).toMatchObject({
      FilterCriteria: {
        Filters: [
          {
            Pattern: JSON.stringify({
              eventName: ['MODIFY'],
              dynamodb: { NewImage: { statusChange: { M: { to: { S: [{ exists: true }] } } } } },
            }),
          },
        ],
      },
      DynamoDBStreamParameters: { StartingPosition: 'TRIM_HORIZON' },
    });
    expect(TargetParameters.EventBridgeEventBusParameters).toStrictEqual({
      Source: 'cart-checkout',
      DetailType: 'cart.status_changed',
    });
    expect(JSON.parse(TargetParameters.InputTemplate)).toStrictEqual({
      cartId: '<$.dynamodb.NewImage.id.S>',
      storeId: '<$.dynamodb.NewImage.storeId.S>',
      mode: '<$.dynamodb.NewImage.mode.S>',
      from: '<$.dynamodb.NewImage.statusChange.M.from.S>',
      to: '<$.dynamodb.NewImage.statusChange.M.to.S>',
      paymentId: '<$.dynamodb.NewImage.paymentId.S>',
      occurredAt: '<$.dynamodb.NewImage.statusChange.M.occurredAt.S>',
    });
  });
});
