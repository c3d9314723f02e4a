import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { withoutHash } from '../../../infra/stage/stack-template.ts';
import { branchStage, fullStage, productionStage, target } from '../../support/stack/template.ts';

const branch = branchStage().template;
const production = productionStage().template;

interface EventSource {
  readonly EventSourceArn: unknown;
  readonly FunctionName: unknown;
  readonly FilterCriteria?: { readonly Filters: readonly { readonly Pattern: string }[] };
}

/** The event sources of a function: their properties, by the resource that they read. */
const eventSourcesOf = (functionId: string): ReadonlyMap<string, EventSource> => {
  const sources = Object.values(branch.findResources('AWS::Lambda::EventSourceMapping')) as {
    Properties: EventSource;
  }[];
  const own = sources.filter(({ Properties }) => target(Properties.FunctionName) === functionId);
  return new Map(own.map(({ Properties }) => [target(Properties.EventSourceArn), Properties]));
};

const patternsOf = ({ FilterCriteria }: EventSource): unknown =>
  FilterCriteria?.Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown);

/** No record is lost: none is skipped at the start, and Lambda retries a failed one until the stream drops it. */
const LOSES_NOTHING = {
  StartingPosition: 'TRIM_HORIZON',
  FunctionResponseTypes: ['ReportBatchItemFailures'],
  BisectBatchOnFunctionError: true,
};
const GIVES_UP = ['DestinationConfig', 'MaximumRetryAttempts', 'MaximumRecordAgeInSeconds'];

describe('recorded events', () => {
  it('go from the stream of their log to the fan-out: new ones alone, many logs of a shard at once', () => {
    const sources = eventSourcesOf('FanOutEvents');
    expect([...sources.keys()]).toStrictEqual(['DatabaseEvents']);
    const source = sources.get('DatabaseEvents')!;
    expect(source).toMatchObject({ ...LOSES_NOTHING, BatchSize: 100, ParallelizationFactor: 10 });
    // Not the counters, which have the number 0. The stream has numbers as texts.
    const sequence = { N: [{ 'anything-but': ['0'] }] };
    expect(patternsOf(source)).toStrictEqual([{ eventName: ['INSERT'], dynamodb: { Keys: { sequence } } }]);
    for (const name of GIVES_UP) expect(source).not.toHaveProperty(name);
  });

  it('that cannot be handled go to their dead-letter queue', () => {
    branch.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          EVENT_DEAD_LETTER_QUEUE_URL: { Ref: Match.stringLikeRegexp('^FanOutDeadLetters') },
        }),
      },
    });
  });
});

describe.each(['RunTimers', 'Canary'])('the schedule of %s', (name) => {
  const lambda = Match.stringLikeRegexp(`^${name}[0-9A-F]{8}$`);

  it('invokes the function every minute, and EventBridge neither retries nor keeps an invocation', () => {
    production.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [
        {
          Arn: { 'Fn::GetAtt': [lambda, 'Arn'] },
          Id: 'Target0',
          RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        },
      ],
    });
  });

  it('leaves no retry to Lambda: no failed run counts twice, and none waits for longer than the next one', () => {
    production.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: lambda },
      Qualifier: '$LATEST',
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });
});

const DELIVERY_QUEUES = ['WebhooksQueue', 'WebhooksSlowQueue', 'WebhooksTestQueue', 'WebhooksSlowTestQueue'];

describe('deliveries', () => {
  it.each([
    ['WebhooksQueue', 50],
    ['WebhooksSlowQueue', 40],
    ['WebhooksTestQueue', 40],
    ['WebhooksSlowTestQueue', 20],
  ])('go from %s to the function', (queue, MaximumConcurrency) => {
    const sources = eventSourcesOf('DeliverWebhooks');
    expect([...sources.keys()]).toStrictEqual(DELIVERY_QUEUES);
    expect(sources.get(queue)).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency },
    });
  });

  it.each([
    ['DELIVERY_QUEUE_URL', 'WebhooksQueue'],
    ['TEST_DELIVERY_QUEUE_URL', 'WebhooksTestQueue'],
    ['SLOW_DELIVERY_QUEUE_URL', 'WebhooksSlowQueue'],
    ['SLOW_TEST_DELIVERY_QUEUE_URL', 'WebhooksSlowTestQueue'],
  ])('find their queue in %s', (variable, queue) => {
    const functions = Object.values(branch.findResources('AWS::Lambda::Function')) as {
      Properties: { Environment: { Variables: Readonly<Record<string, unknown>> } };
    }[];
    const urls = functions.flatMap(({ Properties }) => Properties.Environment.Variables[variable] ?? []);
    expect(urls.map(target)).toStrictEqual([queue, queue, queue, queue]);
  });

  it.each(DELIVERY_QUEUES)(
    'in %s stay invisible for six time limits of the function, and return as often as SQS permits',
    (name) => {
      const queues = Object.entries(branch.findResources('AWS::SQS::Queue'));
      const [, queue] = queues.find(([id]) => id.startsWith(name)) ?? [];
      expect(queue).toMatchObject({
        Properties: {
          VisibilityTimeout: 6 * 30,
          RedrivePolicy: {
            deadLetterTargetArn: { 'Fn::GetAtt': [expect.stringMatching(/^WebhooksDeadLetters/), 'Arn'] },
            maxReceiveCount: 1_000,
          },
        },
      });
    },
  );

  it('may go to loopback addresses only in a stage with -c webhookLoopback=true', () => {
    fullStage().template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ WEBHOOK_LOOPBACK: 'true' }) },
    });
    for (const other of [branch, production]) {
      expect(JSON.stringify(other.toJSON())).not.toContain('WEBHOOK_LOOPBACK');
    }
  });
});

it('-c personalDataDays= sets the retention of the function that erases, and of the operators', () => {
  const { template } = fullStage();
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ PERSONAL_DATA_DAYS: '90' }) },
  });
  expect(template.findOutputs('PersonalDataDays')).toMatchObject({ PersonalDataDays: { Value: '90' } });
});

it('every queue of a stage is encrypted, keeps messages for 14 days, and rejects them without TLS', () => {
  branch.allResourcesProperties('AWS::SQS::Queue', {
    MessageRetentionPeriod: 14 * 86_400,
    SqsManagedSseEnabled: true,
  });
  const policies = Object.values(branch.findResources('AWS::SQS::QueuePolicy')) as {
    Properties: { Queues: readonly unknown[]; PolicyDocument: { Statement: readonly object[] } };
  }[];
  const secured = policies.flatMap(({ Properties: { Queues, PolicyDocument } }) =>
    PolicyDocument.Statement.some(
      (statement) =>
        JSON.stringify(statement).includes('"aws:SecureTransport":"false"') &&
        (statement as { Effect?: string }).Effect === 'Deny',
    )
      ? Queues.map(target)
      : [],
  );
  const queues = Object.keys(branch.findResources('AWS::SQS::Queue')).map(withoutHash);
  expect(secured.toSorted()).toStrictEqual(queues.toSorted());
});
