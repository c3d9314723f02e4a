import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { productionStage } from '../../support/stack/template.ts';
import { DELIVERY_COSTS, PAYMENT_COSTS } from '../../../infra/cost/event-costs.ts';
import { dayOf, floodCosts } from '../../../infra/cost/flood-costs.ts';
import { idleCosts, idleTotal, resourcesOf } from '../../../infra/cost/idle-costs.ts';
import { loadOf, monthlyCosts, OPERATION_COSTS } from '../../../infra/cost/model.ts';
import { QUOTAS } from '../../../infra/cost/quotas.ts';
import { costsOf, DOLLARS_MAX, totalOf } from '../../../infra/cost/request-costs.ts';

const { createCartCheckout, getCart } = OPERATION_COSTS;

/** Round figures: Lambda bills 14 and 7 ms. */
const COSTS = {
  createCartCheckout: { ...createCartCheckout, durationMs: 13.4, logBytes: 600 },
  getCart: { ...getCart, durationMs: 6.7, logBytes: 500 },
};

const dollarsAt = (rate: number): Record<string, number> => {
  const costs = Object.entries(monthlyCosts(loadOf(rate, COSTS), 20));
  return Object.fromEntries(costs.map(([service, cost]) => [service, Math.round(cost * 100) / 100]));
};

const PER_MONTH = { minutes: 43_800, polls: 657_000 };

const alarmOn = (metrics: number) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    Metrics: [{ Expression: 'a' }, ...Array.from({ length: metrics }, () => ({ MetricStat: {} }))],
  },
});

test('the cost of an idle stage equals the sum by hand, of the resources in its template', () => {
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
      RunDue6ADB61B2: { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 512 } },
      Scheduled: {
        Type: 'AWS::Events::Rule',
        Properties: {
          ScheduleExpression: 'rate(1 minute)',
          Targets: [{ Arn: { 'Fn::GetAtt': ['RunDue6ADB61B2', 'Arn'] } }],
        },
      },
      OfEvents: { Type: 'AWS::Events::Rule', Properties: { EventPattern: {} } },
      Firewall: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}] } },
    },
  });
  // A request, 75 milliseconds of 1 GB, and 24 read units.
  const runDollars = (0.2 + 0.075 * 1e6 * 0.0000133334 + 24 * 0.125) / 1e6;
  expect(
    Object.fromEntries(idleCosts(template).map(({ part, count, price }) => [part, [count, price]])),
  ).toEqual({
    'CloudWatch, metrics of alarms': [4, 0.1],
    'CloudWatch, metrics of alarms on roll-outs': [2, 0.1],
    'SQS, polls of a queue': [1, (0.4 * PER_MONTH.polls) / 1e6],
    'RunDue, every minute': [1, expect.closeTo(runDollars * PER_MONTH.minutes, 9)],
    'AWS WAF, firewall': [1, 5],
    'AWS WAF, rules': [2, 1],
  });
  expect(idleTotal(idleCosts(template))).toBeCloseTo(0.4 + 0.2 + 0.26 + 0.18 + 5 + 2, 9);
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
  expect(() => idleCosts(Template.fromJSON({ Resources }))).toThrow(message);
});

test('the most that a day can cost is the sum over all methods, also over those of a new path', () => {
  const { template } = productionStage();
  const resources = resourcesOf(template);
  const daysOf = (Resources: object): number =>
    floodCosts(Template.fromJSON({ Resources })).reduce((sum, cost) => sum + dayOf(cost, cost.dollars), 0);
  const any = Object.values(resources).find(({ Properties }) => Properties?.['HttpMethod'] === 'ANY');
  const added = { ...any, Properties: { ...any?.Properties, ResourceId: { Ref: 'New' } } };
  // A request, 104 bytes of log and the firewall: seven verbs, each once a second.
  const dollars = (3.5 + 0.052 + 0.6) / 1e6;
  expect(daysOf({ ...resources, added }) - daysOf(resources)).toBeCloseTo(7 * 86_400 * dollars, 6);
});

test('the cost of 100 requests/s equals the sum by hand, of 65.7 million creations and 197.1 million retrievals', () => {
  expect(dollarsAt(100)).toStrictEqual({
    // 262.8 * 3.50
    'API Gateway': 919.8,
    // 262.8 * 0.20
    'Lambda, requests': 52.56,
    // (65.7 million * 14 ms + 197.1 million * 7 ms) * 1 GB: 2,299,500 GB-seconds
    'Lambda, GB-seconds': 30.66,
    // (65.7 * 3 + 197.1 * 1) * 0.625
    'DynamoDB, write units': 246.38,
    // (65.7 * 0.5 + 197.1 * 1) * 0.125
    'DynamoDB, read units': 28.74,
    // 65.7 million * 1 KB: 65.7 GB * 0.45
    'DynamoDB, a month of carts': 29.57,
    // (65.7 * 0.6 GB + 197.1 * 0.5 GB) * 0.50
    'CloudWatch, logs': 68.99,
    // 2.628 million * 5.00
    'X-Ray': 13.14,
    'The stage itself': 20,
  });
  // 26,280 million: 333 * 3.50 + 667 * 2.80 + 19,000 * 2.38 + 6,280 * 1.51
  expect(dollarsAt(10_000)['API Gateway']).toBe(57_735.9);
  // A quarter takes 13.4 ms, the others 6.7 ms.
  expect(loadOf(1_000, COSTS).concurrency).toBeCloseTo(8.375, 3);
});

test('each quota has a source', () => {
  for (const { source } of QUOTAS) {
    expect(source).toMatch(/^(https:\/\/docs\.aws\.amazon\.com\/\S+\.html|infra\/\S+\.ts)$/);
  }
});

test.each([
  ['creations', costsOf('createCartCheckout'), DOLLARS_MAX.createCartCheckout],
  ['retrievals', costsOf('getCart'), DOLLARS_MAX.getCart],
  ['payments', PAYMENT_COSTS, 9.95],
  ['deliveries', DELIVERY_COSTS, 4.3],
])('a million %s stay within their bound', (_name, costs, dollarsMax) => {
  expect(totalOf(costs)).toBeLessThanOrEqual(dollarsMax);
});
