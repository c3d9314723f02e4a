import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { ephemeralTemplate, stackOf, templateOf } from './template.ts';

let ephemeral: Template;

beforeAll(() => {
  ephemeral = ephemeralTemplate();
});

describe('an alarm', () => {
  it.each([
    ['5XXError', 'Average', 0.01, 2],
    ['Latency', 'p99', 2_000, 3],
    ['ThrottledRequests', 'Sum', 100, 3],
    ['ApproximateNumberOfMessagesVisible', 'Maximum', 0, 1],
    ['AmountMismatches', 'Sum', 0, 1],
    ['ApproximateAgeOfOldestMessage', 'Maximum', 900, 1],
    ['ApproximateAgeOfOldestMessage', 'Maximum', 12 * 86_400, 1],
    ['ExecutionFailed', 'Sum', 0, 1],
  ])('tells the topic when %s (%s) is above %d for %d periods of five minutes', (...expected) => {
    const [MetricName, statistic, Threshold, EvaluationPeriods] = expected;
    ephemeral.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName,
      ...(statistic.startsWith('p') ? { ExtendedStatistic: statistic } : { Statistic: statistic }),
      Threshold,
      EvaluationPeriods,
      Period: 300,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      AlarmActions: [Match.anyValue()],
      AlarmDescription: Match.stringLikeRegexp('\\w+'),
    });
  });

  it("of the service's own metrics looks at its own stage alone", () => {
    ephemeral.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'CartCheckout',
      Dimensions: [{ Name: 'stage', Value: 'my-branch' }],
    });
  });

  it('may reach the topic, which nothing but CloudWatch of this account may use', () => {
    ephemeral.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Resource: Match.anyValue(),
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
        Version: '2012-10-17',
      },
    });
  });

  it('is mailed to whom the stage says, and else to nobody', () => {
    ephemeral.resourceCountIs('AWS::SNS::Subscription', 0);
    templateOf({ stage: 'x', alarmEmail: 'ops@example.com' }).hasResourceProperties(
      'AWS::SNS::Subscription',
      {
        Protocol: 'email',
        Endpoint: 'ops@example.com',
      },
    );
  });
});

describe('the dashboard', () => {
  it('shows whether the stage is healthy, who is limited, and how many carts become paid', () => {
    const [dashboard] = Object.values(ephemeral.findResources('AWS::CloudWatch::Dashboard'));
    const body = JSON.stringify(dashboard);
    for (const shown of [
      '5XXError',
      'Latency',
      'RequestsLimited',
      'by keyId, storeId',
      'CartsCreated',
      'CartsCompleted',
      'PaymentsFailed',
    ]) {
      expect(body).toContain(shown);
    }
  });
});

describe('the outputs', () => {
  it('name all that an operator needs, under names that do not change', () => {
    const outputs = Object.keys(ephemeral.toJSON()['Outputs'] as object);
    // The CDK adds one of its own for every REST API.
    expect(outputs.filter((name) => !name.startsWith('Gateway')).toSorted()).toStrictEqual([
      'AlarmTopicArn',
      'ApiKeysTable',
      'BaseUrl',
      'CartExpiryMinutes',
      'CartsTable',
      'DashboardName',
      'DeadLetterQueueUrl',
      'EventBusName',
      'PaymentsQueueUrl',
      'ProductsTable',
    ]);
  });
});

describe('a stack', () => {
  it('cannot be deleted by mistake in production, and by its branch at any time', () => {
    expect(stackOf({ stage: 'prod', checkoutUrl: 'https://pay.example.com' }).terminationProtection).toBe(
      true,
    );
    expect(stackOf({ stage: 'my-branch' }).terminationProtection).toBe(false);
  });
});
