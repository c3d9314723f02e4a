import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { DOLLARS_MAX } from '../../../infra/bounds/bounds.ts';
import { OPERATION_USE } from '../../../infra/cost/aws-use.ts';
import { costsOf, DELIVERY_COSTS, PAYMENT_COSTS, totalOf } from '../../../infra/cost/costs-per-million.ts';
import { dayOf, floodCosts } from '../../../infra/cost/flood-costs.ts';
import { loadCosts } from '../../../infra/cost/load-costs.ts';
import { unusedStageCosts, unusedStageTotal } from '../../../infra/cost/unused-stage-costs.ts';
import { PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import type { StackTemplate } from '../../../infra/stage/stack-template.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import { keyLimitsMax } from '../../../infra/stage/throttle.ts';
import { productionStage } from '../../support/stack/template.ts';

const PER_MONTH = { minutes: 43_800, polls: 657_000 };

const alarmOn = (metrics: number) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    Metrics: [{ Expression: 'a' }, ...Array.from({ length: metrics }, () => ({ MetricStat: {} }))],
  },
});

test('the cost of an unused stage equals the sum by hand, of the resources in its template', () => {
  const template = Template.fromJSON({
    Resources: {
      OneMetric: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'a' } },
      ThreeMetrics: alarmOn(3),
      RolloutAlarm: alarmOn(2),
      Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
      Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
      OfQueue: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
      },
      OfStream: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] } },
      },
      RunTimers6ADB61B2: { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 512 } },
      Scheduled: {
        Type: 'AWS::Events::Rule',
        Properties: {
          ScheduleExpression: 'rate(1 minute)',
          Targets: [{ Arn: { 'Fn::GetAtt': ['RunTimers6ADB61B2', 'Arn'] } }],
        },
      },
      OfEvents: { Type: 'AWS::Events::Rule', Properties: { EventPattern: {} } },
      Firewall: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
    },
  });
  // A request, 75 milliseconds of 1 GB, and 32 read units.
  const runDollars = (0.2 + 0.075 * 1e6 * 0.0000133334 + 32 * 0.125) / 1e6;
  expect(
    Object.fromEntries(unusedStageCosts(template).map(({ part, count, price }) => [part, [count, price]])),
  ).toEqual({
    'CloudWatch, metrics of alarms': [4, 0.1],
    'CloudWatch, metrics of alarms on roll-outs': [2, 0.1],
    'SQS, polls of a queue': [1, (0.4 * PER_MONTH.polls) / 1e6],
    '`run-timers`, every minute': [1, expect.closeTo(runDollars * PER_MONTH.minutes, 9)],
    'AWS WAF, firewall': [1, 5],
    'AWS WAF, rules': [2, 1],
  });
  expect(unusedStageTotal(unusedStageCosts(template))).toBeCloseTo(0.4 + 0.2 + 0.26 + 0.23 + 5 + 2, 9);
});

test.each([
  ['The price of AWS::EC2::NatGateway is unknown', { Nat: { Type: 'AWS::EC2::NatGateway' } }],
  [
    'The runs of Sweeper have no price',
    {
      Sweeper6ADB61B2: { Type: 'AWS::Lambda::Function' },
      Rule: {
        Type: 'AWS::Events::Rule',
        Properties: {
          ScheduleExpression: 'rate(1 hour)',
          Targets: [{ Arn: { 'Fn::GetAtt': ['Sweeper6ADB61B2', 'Arn'] } }],
        },
      },
    },
  ],
])('a new cost cannot be forgotten: %s', (message, Resources) => {
  expect(() => unusedStageCosts(Template.fromJSON({ Resources }))).toThrow(message);
});

test('the most that a day can cost is the sum over all methods, also over those of a new path', () => {
  const { template } = productionStage();
  const { Resources: resources } = template.toJSON() as StackTemplate;
  const daysOf = (Resources: object): number =>
    floodCosts(Template.fromJSON({ Resources })).reduce((sum, cost) => sum + dayOf(cost, cost.dollars), 0);
  const any = Object.values(resources).find(({ Properties }) => Properties?.['HttpMethod'] === 'ANY');
  const added = { ...any, Properties: { ...any?.Properties, ResourceId: { Ref: 'New' } } };
  // A request, 104 bytes of log and the firewall: seven verbs, each once a second.
  const dollars = (3.5 + 0.052 + 0.6) / 1e6;
  expect(daysOf({ ...resources, added }) - daysOf(resources)).toBeCloseTo(7 * 86_400 * dollars, 6);
});

test('the budget of production is the cost of one key that creates carts at its largest limit, all day', () => {
  const creations = floodCosts(productionStage().template).find(({ methods }) =>
    methods.includes('POST /api/v1/stores/cart/checkout'),
  )!;
  const { throttle, dailyBudgetUsd } = stageConfig(PRODUCTION_CONTEXT);
  const { requestsPerSecond } = keyLimitsMax(throttle);
  expect(dailyBudgetUsd).toBe(Math.ceil(dayOf({ ...creations, requestsPerSecond }, creations.dollars)));
});

test('the cost of 100 requests/s equals the sum by hand, of 65.7 million creations and 197.1 million retrievals', () => {
  const { usual: creation } = OPERATION_USE.createCartCheckout;
  const { usual: retrieval } = OPERATION_USE.getCart;
  const billedMs = 65.7 * Math.ceil(creation.durationMs) + 197.1 * Math.ceil(retrieval.durationMs);
  const expected = {
    'API Gateway': 262.8 * 3.5,
    'Lambda, requests': 262.8 * 0.2,
    // A function has 1 GB.
    'Lambda, GB-seconds': billedMs * 1_000 * 0.0000133334,
    'DynamoDB, write units': (65.7 * 3 + 197.1 * 1) * 0.625,
    'DynamoDB, read units': (65.7 * 0.5 + 197.1 * 1) * 0.125,
    // 65.7 million carts of 1 KB.
    'DynamoDB, a month of carts': 65.7 * 0.45,
    'CloudWatch, logs': ((65.7 * creation.logBytes + 197.1 * retrieval.logBytes) / 1_000) * 0.5,
    'X-Ray': 2.628 * 5,
    'The stage itself': 20,
  };
  const costs = loadCosts(100, 20);
  expect(Object.keys(costs)).toStrictEqual(Object.keys(expected));
  for (const [service, dollars] of Object.entries(expected)) expect(costs[service]).toBeCloseTo(dollars, 6);
  // 26,280 million: 333 * 3.50 + 667 * 2.80 + 19,000 * 2.38 + 6,280 * 1.51
  expect(loadCosts(10_000, 20)['API Gateway']).toBeCloseTo(57_735.9, 6);
});

test.each([
  ['creations', costsOf('createCartCheckout'), DOLLARS_MAX.createCartCheckout],
  ['retrievals', costsOf('getCart'), DOLLARS_MAX.getCart],
  ['payments', PAYMENT_COSTS, DOLLARS_MAX.payments],
  ['deliveries', DELIVERY_COSTS, DOLLARS_MAX.deliveries],
])('a million %s stay within their bound', (_name, costs, dollarsMax) => {
  expect(totalOf(costs)).toBeLessThanOrEqual(dollarsMax);
});
