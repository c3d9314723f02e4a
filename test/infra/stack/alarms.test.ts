import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { absenceAlarms } from '../../../infra/stack/alarms/absence-alarms.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import { Alarm, type AlarmProperties, periodMinutesOf } from '../../support/cloudwatch/cloudwatch.ts';
import {
  branchStage,
  fullStage,
  otherBranchStage,
  productionStage,
  target,
} from '../../support/stack/template.ts';
import { besideOf, CAUSES } from './alarm-causes.ts';
import {
  API_FUNCTIONS,
  busyDay,
  DAY_MINUTES,
  expectedDay,
  type Part,
  quietDay,
  quietStage,
  Stage,
} from './alarm-days.ts';
import { type FunctionLines, functionLines, VERSION } from './alarm-lines.ts';

const branch = branchStage().template;
const full = fullStage().template;
const production = productionStage().template;

interface TemplateAlarm extends AlarmProperties {
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
  readonly AlarmName?: unknown;
}

/** The alarms of a stage, by the name that the code gives them. */
const alarmsOf = (template: Template): ReadonlyMap<string, TemplateAlarm> =>
  new Map(
    Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, alarm]) => [
      id.replace(/^(?:Alarms)?(.*)[0-9A-F]{8}$/, '$1'),
      (alarm as { Properties: TemplateAlarm }).Properties,
    ]),
  );

/** The last stage names the alarms that several have. */
const STAGES = { full, 'my-branch': branch, prod: production } as const;

/** The alarms that notify somebody. */
const notifying = (template: Template): readonly TemplateAlarm[] =>
  [...alarmsOf(template)].flatMap(([name, alarm]) => (name.startsWith('Rollout') ? [] : alarm));

/** The text of a dimension: that of the template, or the name of the resource that it refers to. */
const resolve = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join, 'Fn::GetAtt': attribute } = value as Record<
    string,
    readonly unknown[] | undefined
  >;
  if (join) return (join[1] as readonly unknown[]).map(resolve).join('');
  return attribute?.[1] === 'Version' ? VERSION : target(value);
};

let lines: FunctionLines;
beforeAll(async () => {
  lines = await functionLines();
});

/** The part of a stage's time before a cause. */
const BEFORE_MINUTES = 120;

/** Evaluates an alarm every minute, and one on hours every hour. Returns the first minute in which it is on, from `from`. */
const firstOn = (alarm: Alarm, from: number, to: number): number | undefined => {
  const step = alarm.periodMinutes < 60 ? 1 : 60;
  for (let minute = step; minute <= to; minute += step)
    if (alarm.evaluateAt(minute) === 'ALARM' && minute > from) return minute;
  return undefined;
};

/** The stages after the cause of an alarm, which the alarm shares with the one of a higher threshold. */
const stagesAfterCause = new Map<string, Stage>();

const stageAfterCause = (stageName: string, name: string, to: number): Stage => {
  const known = stagesAfterCause.get(`${stageName} ${name}`);
  if (known) return known;
  const cause = CAUSES[name];
  if (!cause) throw new Error(`The alarm ${name} has no cause`);
  const stage = new Stage(stageName, lines);
  const before = name.startsWith('No') ? expectedDay : quietDay;
  before(stage, 0, BEFORE_MINUTES);
  besideOf(cause)(stage, BEFORE_MINUTES, to);
  cause.add(stage, BEFORE_MINUTES, to);
  stagesAfterCause.set(`${stageName} ${name}`, stage);
  return stage;
};

/** The minutes from a cause until its alarm goes off, within two hours, or eight days for an alarm on hours. */
const minutesUntil = (stageName: string, name: string, properties: AlarmProperties): number | undefined => {
  const isOnHours = periodMinutesOf(properties) >= 60;
  const to = BEFORE_MINUTES + (isOnHours ? 8 * DAY_MINUTES : 120);
  const alarm = new Alarm(properties, stageAfterCause(stageName, name, to).metrics, resolve);
  const minute = firstOn(alarm, BEFORE_MINUTES, to);
  return minute === undefined ? undefined : minute - BEFORE_MINUTES;
};

/** The stages after each healthy day, which all alarms share. */
const stagesAfter = new Map<Part, Stage[]>();

const stageAfter = (day: Part, name: string): Stage => {
  const stages = stagesAfter.get(day) ?? [];
  const known = stages.find((each) => each.name === name);
  if (known) return known;
  const stage = new Stage(name, lines);
  day(stage, 0, DAY_MINUTES);
  stagesAfter.set(day, [...stages, stage]);
  return stage;
};

/** The minute of a healthy day in which an alarm goes off. `undefined`: it stays silent. */
const noisyMinute = (stageName: string, day: Part, properties: AlarmProperties): number | undefined => {
  return firstOn(new Alarm(properties, stageAfter(day, stageName).metrics, resolve), 0, DAY_MINUTES);
};

/** The healthy days of an alarm. Those on absence exist only if traffic is expected, so their day has it. */
const daysOf = (name: string): readonly Part[] =>
  name.startsWith('No') ? [expectedDay, busyDay] : [quietDay, quietStage, busyDay];

/** How many minutes after its cause each alarm is on, on every stage that has it. */
const MINUTES: Readonly<Record<string, number>> = {
  ServerErrors: 6,
  Latency: 11,
  ThrottledKeys: 12,
  PaymentDeadLetters: 16,
  OldPaymentDeadLetters: 9_660,
  WaitingPayments: 16,
  InterruptedPayments: 11,
  RecordPaymentErrors: 11,
  DuplicatePayments: 1,
  AmountMismatches: 1,
  ExcessRefunds: 1,
  EarlyRefunds: 1,
  EventDeadLetters: 16,
  FeedLag: 6,
  FanOutEventsErrors: 11,
  FanOutAbsent: 6,
  RunTimersFailures: 3,
  TimerLag: 1,
  // CloudWatch first uses up the values of two further periods.
  RunTimersAbsent: 25,
  FailingTimers: 61,
  ErasureLag: 1,
  DisabledEndpoints: 1,
  WaitingDeliveries: 31,
  WaitingSlowDeliveries: 31,
  LateDeliveries: 1,
  InterruptedDeliveries: 11,
  DeliverWebhooksErrors: 11,
  DeliveryDeadLetters: 16,
  CreateCartCheckoutFailures: 6,
  GetCartFailures: 6,
  ClientErrors: 11,
  FailingDeliveries: 12,
  CanaryFailures: 3,
  CanaryAbsent: 25,
  NoRequests: 15,
  NoCarts: 25,
  NoPayments: 40,
  RolloutGetPaymentCartFailures: 2,
  ...Object.fromEntries(Object.keys(API_FUNCTIONS).map((name) => [`Rollout${name}Failures`, 2])),
};

/** The alarms of all stages, without those that another stage has in the same form. */
const ALL = [
  ...new Map(
    Object.entries(STAGES).flatMap(([stage, template]) =>
      [...alarmsOf(template)].map(([name, properties]) => {
        const { AlarmActions: _actions, OKActions: _okActions, AlarmName: _name, ...rules } = properties;
        const form = JSON.stringify({ name, ...rules }).replaceAll(`"${stage}"`, '""');
        return [form, { stage, name, properties }] as const;
      }),
    ),
  ).values(),
];

describe('each alarm', () => {
  it('has a cause', () => {
    expect(new Set(ALL.map(({ name }) => name))).toStrictEqual(new Set(Object.keys(CAUSES)));
  });

  it.each(ALL)('goes off: $name of $stage', ({ stage, name, properties }) => {
    expect(minutesUntil(stage, name, properties)).toBe(MINUTES[name]);
  });

  it.each(ALL)(
    'is silent on a quiet day, a quiet stage and a busy day: $name of $stage',
    ({ stage, name, properties }) => {
      const noisy = daysOf(name).map((day) => noisyMinute(stage, day, properties));
      expect(noisy.filter((minute) => minute !== undefined)).toStrictEqual([]);
    },
  );

  it.each(ALL.filter(({ properties }) => properties.Threshold !== 0))(
    'fails these tests with a threshold ten times as high: $name of $stage',
    ({ stage, name, properties }) => {
      const changed = { ...properties, Threshold: 10 * properties.Threshold };
      const isLater = minutesUntil(stage, name, changed) !== MINUTES[name];
      expect(isLater || daysOf(name).some((day) => noisyMinute(stage, day, changed) !== undefined)).toBe(
        true,
      );
    },
  );
});

describe('an alarm', () => {
  it('notifies the topic when it goes off, and when it is over', () => {
    for (const { AlarmActions, OKActions } of [production, full, branch].flatMap(notifying))
      for (const actions of [AlarmActions, OKActions])
        expect(actions?.map(target)).toStrictEqual(['AlarmsTopic']);
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

  it('of a branch has one metric, which is the cheapest', () => {
    for (const alarm of notifying(branch)) expect(alarm.Metrics).toBeUndefined();
  });

  it('may publish to the topic, and so may the budgets, but only of this account', () => {
    branch.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: ['budgets.amazonaws.com', 'cloudwatch.amazonaws.com'] },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
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
  it.each([
    ['production', production, stageConfig(PRODUCTION_CONTEXT).dailyBudgetUsd],
    ['a branch that asks for one', full, 50],
    ['a branch whose alarms go to no e-mail', otherBranchStage().template, 5],
  ])('of %s notifies the topic of the alarms on the day that exceeds it', (_, template, Amount) => {
    const [budget] = Object.values(template.findResources('AWS::Budgets::Budget'));
    expect(budget).toMatchObject({
      // AWS Budgets rejects a topic that it may not notify.
      DependsOn: expect.arrayContaining([expect.stringMatching(/^AlarmsTopicPolicy/)]),
      Properties: {
        Budget: { BudgetType: 'COST', TimeUnit: 'DAILY', BudgetLimit: { Amount, Unit: 'USD' } },
        NotificationsWithSubscribers: [
          {
            Notification: {
              NotificationType: 'ACTUAL',
              ComparisonOperator: 'GREATER_THAN',
              Threshold: 100,
              ThresholdType: 'PERCENTAGE',
            },
            Subscribers: [
              { SubscriptionType: 'SNS', Address: { Ref: expect.stringMatching(/^AlarmsTopic/) } },
            ],
          },
        ],
      },
    });
  });

  it('is none of a branch by default', () => {
    branch.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});
