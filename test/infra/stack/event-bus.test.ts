import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { branchStage, fullStage, target } from '../../support/stack/template.ts';

const branch = branchStage().template;

interface Rule {
  readonly EventBusName: unknown;
  readonly EventPattern: object;
  readonly Targets: { readonly Arn: unknown; readonly DeadLetterConfig: { readonly Arn: unknown } }[];
}

describe('payment events', () => {
  it("go from the stage's bus to the queue; undeliverable ones become dead letters", () => {
    const rules = branch.findResources('AWS::Events::Rule', {
      Properties: { EventPattern: Match.anyValue() },
    });
    const [rule, ...others] = Object.values(rules);
    expect(others).toStrictEqual([]);
    const { EventBusName, EventPattern, Targets } = (rule as { Properties: Rule }).Properties;
    expect(target(EventBusName)).toBe('PaymentsEventBus');
    expect(EventPattern).toStrictEqual({
      source: ['payments'],
      account: [{ Ref: 'AWS::AccountId' }],
      'detail-type': ['payment.succeeded', 'payment.failed', 'payment.refunded'],
    });
    const targets = Targets.map(({ Arn, DeadLetterConfig }) => [target(Arn), target(DeadLetterConfig.Arn)]);
    expect(targets).toStrictEqual([['PaymentsQueue', 'PaymentsDeadLetters']]);
  });

  const busOf = (template: Template) =>
    Object.values(template.findResources('AWS::Events::EventBus')) as { Properties: { Policy?: object } }[];

  it('with roles, may come from their accounts and the configured source alone', () => {
    const { template } = fullStage();
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['acme.payments'],
        account: ['111111111111', '222222222222'],
        'detail-type': ['payment.succeeded', 'payment.failed', 'payment.refunded'],
      },
    });
    const own = { 'Fn::GetAtt': [expect.stringMatching(/^FanOutEventsRole/), 'Arn'] };
    const roles = [
      'arn:aws:iam::111111111111:role/payments',
      'arn:aws:iam::222222222222:role/team/operators',
    ];
    const putEvents = {
      Action: 'events:PutEvents',
      // Its own ARN by name: a resource cannot refer to itself.
      Resource: {
        'Fn::Join': [
          '',
          [
            'arn:',
            { Ref: 'AWS::Partition' },
            ':events:',
            { Ref: 'AWS::Region' },
            ':',
            { Ref: 'AWS::AccountId' },
            expect.stringMatching(/^:event-bus\/CartCheckoutfullPayments/),
          ],
        ],
      },
    };
    expect(busOf(template).map(({ Properties }) => Properties.Policy)).toStrictEqual([
      {
        Version: '2012-10-17',
        Statement: [
          { Sid: 'AllowSenders', Effect: 'Allow', Principal: { AWS: roles }, ...putEvents },
          {
            Sid: 'DenyOthers',
            Effect: 'Deny',
            Principal: { AWS: '*' },
            ...putEvents,
            Condition: { ArnNotEquals: { 'aws:PrincipalArn': [...roles, own] } },
          },
        ],
      },
    ]);
  });

  it('without a role, may come from every principal of the account that IAM permits', () => {
    expect(busOf(branch).map(({ Properties }) => Properties.Policy)).toStrictEqual([undefined]);
  });

  it('return after a crash for at most twelve minutes, each time after more than the time limit of the function', () => {
    branch.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 36,
      RedrivePolicy: Match.objectLike({ maxReceiveCount: 20 }),
    });
  });

  it('return to the queue whose address the function has', () => {
    branch.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          PAYMENTS_QUEUE_URL: { Ref: Match.stringLikeRegexp('^PaymentsQueue') },
        }),
      },
    });
  });

  it('come in batches of ten; only failed ones return', () => {
    branch.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });
});
