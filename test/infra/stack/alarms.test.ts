import { runInNewContext } from 'node:vm';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { absenceAlarms } from '../../../infra/stack/absence-alarms.ts';
import { branchStage, fullStage, productionStage, target } from './template.ts';

const branch = branchStage().template;
const full = fullStage().template;
const production = productionStage().template;

interface AlarmProperties {
  readonly MetricName?: string;
  readonly Namespace?: string;
  readonly Period?: number;
  readonly Dimensions?: readonly { readonly Value: unknown }[];
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: {
      readonly Period: number;
      readonly Stat: string;
      readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { Value: unknown }[] };
    };
  }[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
  readonly AlarmDescription: string;
  readonly AlarmActions: readonly unknown[];
}

/** The alarms of a stage, by the name that the code gives them. `rollout.test.ts` has those of a roll-out. */
const alarmsOf = (template: Template): ReadonlyMap<string, AlarmProperties> =>
  new Map(
    Object.entries(template.findResources('AWS::CloudWatch::Alarm'))
      .filter(([id]) => !id.startsWith('Rollout'))
      .map(([id, alarm]) => [
        id.replace(/^Alarms(.*)[0-9A-F]{8}$/, '$1'),
        (alarm as { Properties: AlarmProperties }).Properties,
      ]),
  );

/** The metric of an alarm, or its expression. */
const watchedBy = ({ MetricName, Statistic, ExtendedStatistic, Metrics = [] }: AlarmProperties): string =>
  MetricName === undefined
    ? (Metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '')
    : `${MetricName} ${Statistic ?? ExtendedStatistic}`;

const FAILED = [0, 1, 2].map((n) => `FILL(failed${n},0)`).join('+');
const LOGGED = [0, 1, 2].map((n) => `FILL(logged${n},0)`).join('+');
const LOST = 'FILL(lost0,0)+FILL(lost1,0)';
const COUNT = [0, 1].map((n) => `FILL(count${n},0)`).join('+');
const ERRORS = [0, 1].map((n) => `FILL(errors${n},0)`).join('+');

/** The writes of the period before, and the invocations of this period and the one before. */
const EVENTS_WITHOUT_FAN_OUT =
  '(FILL(written,0)-DIFF(FILL(written,0)))>(1000000000*(2*FILL(invoked,0)-DIFF(FILL(invoked,0))))';

/** Every alarm: what it watches, its bound, the periods, and their seconds. */
const ALARMS = {
  ServerErrors: ['5XXError Average', '> 0.01', 2, 300],
  Latency: ['Latency p99', '> 2000', 3, 300],
  ThrottledKeys: ['ThrottledRequests Sum', '> 100', 3, 300],
  DeadLetters: ['ApproximateNumberOfMessagesVisible Maximum', '> 0', 1, 300],
  OldDeadLetters: ['ApproximateAgeOfOldestMessage Maximum', '> 1036800', 1, 300],
  WaitingPayments: ['ApproximateAgeOfOldestMessage Maximum', '> 900', 1, 300],
  SetAsideRecords: ['ApproximateNumberOfMessagesVisible Maximum', '> 0', 1, 300],
  FeedLag: ['IteratorAge Maximum', '> 300000', 1, 300],
  DueWorkFailures: ['Errors Sum', '> 2', 1, 300],
  DueWorkLag: ['DueLagSeconds Maximum', '> 600', 1, 300],
  DueWorkAbsent: ['Invocations Sum', '< 1', 3, 300],
  ErasureLag: ['ErasureLagHours Maximum', '> 24', 1, 300],
  DisabledEndpoints: ['EndpointsDisabled Sum', '> 0', 1, 300],
  WaitingDeliveries: ['ApproximateAgeOfOldestMessage Maximum', '> 1800', 1, 300],
  DeliveryDeadLetters: ['ApproximateNumberOfMessagesVisible Maximum', '> 0', 1, 300],
  AmountMismatches: ['AmountMismatches Sum', '> 0', 1, 300],
  DuplicatePayments: ['DuplicatePayments Sum', '> 0', 1, 300],
  ExcessRefunds: ['ExcessRefunds Sum', '> 0', 1, 300],
} as const;

const ALARMS_OF_PRODUCTION = {
  ...ALARMS,
  DeadLetters: ['DIFF(FILL(visible,0))', '> 0', 1, 300],
  WaitingDeliveries: ['MAX([quick,slow])', '> 1800', 1, 300],
  CreateCartCheckoutFailures: [`(${FAILED}+${LOST})/(${LOGGED}+${LOST})`, '> 0.01', 2, 300],
  GetCartFailures: [`(${FAILED}+${LOST})/(${LOGGED}+${LOST})`, '> 0.01', 2, 300],
  ClientErrors: [`IF(${COUNT}>=20,(${ERRORS})/(${COUNT}),0)`, '> 0.2', 3, 300],
  FailingDeliveries: [
    'IF(FILL(failed,0)+FILL(succeeded,0)>=20,(FILL(failed,0))/(FILL(failed,0)+FILL(succeeded,0)),0)',
    '> 0.5',
    3,
    300,
  ],
  FanOutAbsent: [EVENTS_WITHOUT_FAN_OUT, '> 0', 1, 300],
  CanaryFailures: ['Errors Sum', '> 2', 1, 300],
  CanaryAbsent: ['Invocations Sum', '< 1', 3, 300],
} as const;

/** The alarms of a stage that expects 600 live requests an hour: 150 carts, and 45 payments. 20 of each are expected. */
const ALARMS_ON_ABSENCE = {
  NoRequests: [COUNT, '< 1', 3, 300],
  NoCarts: ['CartsCreated Sum', '< 1', 3, 300],
  NoPayments: ['CartsCompleted Sum', '< 1', 6, 300],
} as const;

describe('an alarm', () => {
  const summary = (alarm: AlarmProperties) => [
    watchedBy(alarm),
    `${alarm.ComparisonOperator === 'GreaterThanThreshold' ? '>' : '<'} ${alarm.Threshold}`,
    alarm.EvaluationPeriods,
    alarm.Period ?? alarm.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period,
  ];

  it.each([
    ['a branch', () => branch, ALARMS],
    ['production, of whose traffic nothing is known', () => production, ALARMS_OF_PRODUCTION],
    [
      'a stage that expects traffic',
      () => full,
      {
        ...ALARMS,
        ...ALARMS_ON_ABSENCE,
        CanaryFailures: ALARMS_OF_PRODUCTION.CanaryFailures,
        CanaryAbsent: ALARMS_OF_PRODUCTION.CanaryAbsent,
      },
    ],
  ])('watches these values, and no other: %s', (_, template, expected) => {
    const alarms = [...alarmsOf(template())].map(([name, alarm]) => [name, summary(alarm)]);
    expect(Object.fromEntries(alarms)).toStrictEqual(expected);
  });

  it('counts a missing value as zero, and notifies the topic', () => {
    for (const alarm of [...alarmsOf(production).values(), ...alarmsOf(full).values()]) {
      expect(['GreaterThanThreshold', 'LessThanThreshold']).toContain(alarm.ComparisonOperator);
      const isAbsence = alarm.ComparisonOperator === 'LessThanThreshold';
      expect(alarm.TreatMissingData).toBe(isAbsence ? 'breaching' : 'notBreaching');
      expect(alarm.AlarmActions.map(target)).toStrictEqual(['AlarmsTopic']);
    }
  });

  it.each([
    [12, [20, 80, 267]],
    [40, [6, 24, 80]],
    [100_000, [3, 3, 3]],
  ])(
    'on absence waits until 20 are expected, but at least for 15 minutes, and at most for a day: %s requests an hour',
    (liveRequestsPerHour, expected) => {
      const alarms = absenceAlarms('prod', liveRequestsPerHour);
      expect(Object.values(alarms).map(({ periods }) => periods)).toStrictEqual(expected);
      // CloudWatch demands it of periods of five minutes.
      expect(300 * Math.max(...expected)).toBeLessThanOrEqual(86_400);
    },
  );

  it('on operations and traffic watches the requests of its own stage: all, or the live ones alone', () => {
    const dimensionsOf = (name: string, template = production): string[] => {
      const text = JSON.stringify(alarmsOf(template).get(name));
      const lists = text.matchAll(/"Dimensions":\[([^\]]*)\],"MetricName":"(ClientErrors|ServerErrors)"/g);
      return [...lists].map(([, list]) =>
        [...(list ?? '').matchAll(/"Value":"([^"]*)"/g)].map(([, value]) => value).join(' '),
      );
    };
    const all = (operation: string) => ['live', 'test', 'none'].map((mode) => `${mode} ${operation} prod`);
    const sorted = (names: string[]): string[] =>
      [...new Set(names.map((name) => name.split(' ').toSorted().join(' ')))].toSorted();
    expect(sorted(dimensionsOf('CreateCartCheckoutFailures'))).toStrictEqual(
      sorted(all('createCartCheckout')),
    );
    expect(sorted(dimensionsOf('GetCartFailures'))).toStrictEqual(sorted(all('getCart')));
    const operations = ['createCartCheckout', 'getCart'];
    const live = (stage: string) => sorted(operations.map((operation) => `live ${operation} ${stage}`));
    expect(sorted(dimensionsOf('ClientErrors'))).toStrictEqual(live('prod'));
    expect(sorted(dimensionsOf('NoRequests', full))).toStrictEqual(live('full'));
  });

  it('on failures divides their sum by all requests, which ClientErrors counts', () => {
    const text = JSON.stringify(alarmsOf(production).get('GetCartFailures')?.Metrics);
    const stats = text.matchAll(
      /"MetricName":"(\w+)","Namespace":"CartCheckout"},"Period":300,"Stat":"(\w+)"/g,
    );
    const pairs = new Set([...stats].map(([, metric, statistic]) => `${metric} ${statistic}`));
    expect([...pairs].toSorted()).toStrictEqual(['ClientErrors SampleCount', 'ServerErrors Sum']);
  });

  it.each([
    ['SetAsideRecords', 'FanOutSetAside'],
    ['FeedLag', 'FanOutEvents'],
    ['DueWorkFailures', 'RunDue'],
    ['DueWorkAbsent', 'RunDue'],
    ['WaitingDeliveries', 'WebhooksSlowQueue'],
    ['DeliveryDeadLetters', 'WebhooksDeadLetters'],
  ])('%s watches %s', (name, resource) => {
    const { Dimensions } = alarmsOf(branch).get(name)!;
    expect(Dimensions?.map(({ Value }) => target(Value))).toStrictEqual([resource]);
  });

  it('of a branch has one metric, which is the cheapest', () => {
    for (const alarm of alarmsOf(branch).values()) expect(alarm.Metrics).toBeUndefined();
  });

  it('on the fan-out watches the writes of all events, and the invocations of FanOutEvents', () => {
    const stats = alarmsOf(production)
      .get('FanOutAbsent')
      ?.Metrics?.flatMap(({ Id, MetricStat }) => {
        if (!MetricStat) return [];
        const { MetricName, Dimensions } = MetricStat.Metric;
        return [[Id, MetricName, MetricStat.Stat, ...Dimensions.map(({ Value }) => target(Value))]];
      });
    expect(stats).toStrictEqual([
      ['written', 'ConsumedWriteCapacityUnits', 'Sum', 'DatabaseEvents'],
      ['invoked', 'Invocations', 'Sum', 'FanOutEvents'],
    ]);
  });

  it.each([
    ['an event of the period before met no invocation', { written: [2, 0], invoked: [0, 0] }, true],
    ['many events did', { written: [24_000_000, 2], invoked: [0, 0] }, true],
    ['an event met one at once', { written: [2, 0], invoked: [1, 0] }, false],
    ['an event at the end of its period met one in the next', { written: [2, 0], invoked: [0, 1] }, false],
    ['an event of this period may still meet one', { written: [0, 2], invoked: [0, 0] }, false],
    ['many events met one invocation', { written: [24_000_000, 0], invoked: [1, 0] }, false],
    ['there was no event', { written: [0, 0], invoked: [0, 0] }, false],
  ])('on the fan-out, if %s: %j, is on: %s', (_, { written, invoked }, isOn) => {
    // The value of a series in this period, and its difference from the period before.
    const code = watchedBy(alarmsOf(production).get('FanOutAbsent')!)
      .replaceAll(/DIFF\(FILL\((\w+),0\)\)/g, '($1[1]-$1[0])')
      .replaceAll(/FILL\((\w+),0\)/g, '$1[1]');
    expect(runInNewContext(code, { written, invoked })).toBe(isOn);
  });

  it('may publish to the topic, and only CloudWatch of this account may', () => {
    branch.hasResourceProperties('AWS::SNS::TopicPolicy', {
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

  it('is mailed to the address of the stage, if there is one', () => {
    branch.resourceCountIs('AWS::SNS::Subscription', 0);
    const subscription = { Protocol: 'email', Endpoint: 'ops@example.com' };
    full.hasResourceProperties('AWS::SNS::Subscription', subscription);
  });
});

describe('the daily budget', () => {
  it('of production sends an e-mail to the receiver of the alarms on the day that exceeds it', () => {
    production.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetType: 'COST', TimeUnit: 'DAILY', BudgetLimit: { Amount: 116, Unit: 'USD' } },
      NotificationsWithSubscribers: [
        {
          Notification: {
            NotificationType: 'ACTUAL',
            ComparisonOperator: 'GREATER_THAN',
            Threshold: 100,
            ThresholdType: 'PERCENTAGE',
          },
          Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.com' }],
        },
      ],
    });
    branch.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});
