import type { Template } from 'aws-cdk-lib/assertions';
import { pascalCase } from '../../lib/core/letter-case.ts';
import { type Resource, type StackTemplate, withoutHash } from '../stage/stack-template.ts';
import { RUN_USE, type Use } from './aws-use.ts';
import { ABANDONMENT_COSTS, costsOf, executionDollars, totalOf } from './costs-per-million.ts';
import { PRICES, SECONDS_PER_MONTH } from './prices.ts';

/** A part of what a stage costs without requests. */
export interface UnusedCost {
  readonly part: string;
  readonly count: number;
  /** Dollars a month of each. */
  readonly price: number;
}

type Resources = StackTemplate['Resources'];

/** The logical id that `Fn::GetAtt` leads to. */
const idOf = (reference: unknown): string =>
  (reference as { 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt']?.[0] ?? '';

const costOf = (part: string, price: number, count = 1): UnusedCost[] => [{ part, count, price }];

const MILLION = 1_000_000;

/**
 * Lambda reads an idle queue by five long polls, of 20 s at most. With a maximum concurrency, it does not use fewer.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const POLLS_PER_MONTH = (5 * SECONDS_PER_MONTH) / 20;

const RUNS_PER_MONTH = SECONDS_PER_MONTH / 60;

/** The two requests of each run of the canary, and the expiry of its cart. */
const CANARY_CART =
  totalOf(costsOf('createCartCheckout')) + totalOf(costsOf('getCart')) + totalOf(ABANDONMENT_COSTS.usual);

const scheduleCosts = ({ Properties: rule }: Resource, resources: Resources): UnusedCost[] => {
  if (rule?.['ScheduleExpression'] === undefined) return [];
  const hasFirewall = Object.values(resources).some(({ Type }) => Type === 'AWS::WAFv2::WebACL');
  const cart = CANARY_CART + (hasFirewall ? 2 * PRICES.firewallMillionRequests : 0);
  return (rule['Targets'] as readonly { Arn: unknown }[]).flatMap(({ Arn }) => {
    const memoryMb = Number(resources[idOf(Arn)]?.Properties?.['MemorySize']);
    const id = withoutHash(idOf(Arn));
    const [name, use] = Object.entries<Use>(RUN_USE).find(([each]) => pascalCase(each) === id) ?? [];
    if (!use) throw new Error(`The runs of ${id} have no price: add them to RUN_USE in aws-use.ts`);
    const dollars =
      PRICES.lambdaMillionRequests +
      executionDollars(use, memoryMb) +
      use.writes * PRICES.dynamodbMillionWrites +
      use.reads * PRICES.dynamodbMillionReads +
      (name === 'canary' ? cart : 0);
    return costOf(`\`${name}\`, every minute`, (dollars * RUNS_PER_MONTH) / MILLION);
  });
};

const alarmCosts = (id: string, { Properties }: Resource): UnusedCost[] => {
  const queries = (Properties?.['Metrics'] ?? []) as readonly { MetricStat?: object }[];
  const metrics = queries.filter(({ MetricStat }) => MetricStat).length;
  const part = `CloudWatch, metrics of alarms${id.startsWith('Rollout') ? ' on roll-outs' : ''}`;
  // An alarm without an expression has one metric.
  return costOf(part, PRICES.alarmMetricMonth, Math.max(1, metrics));
};

/** The monthly cost of each type of resource without requests. */
const COSTS: Readonly<Record<string, (id: string, resource: Resource, all: Resources) => UnusedCost[]>> = {
  'AWS::CloudWatch::Alarm': alarmCosts,
  'AWS::CloudWatch::Dashboard': () => costOf('CloudWatch, dashboard', PRICES.dashboardMonth),
  'AWS::Events::Rule': (_, rule, all) => scheduleCosts(rule, all),
  // Lambda reads the streams of DynamoDB free of charge.
  'AWS::Lambda::EventSourceMapping': (_, { Properties }, all) =>
    all[idOf(Properties?.['EventSourceArn'])]?.Type === 'AWS::SQS::Queue'
      ? costOf('SQS, polls of a queue', (POLLS_PER_MONTH * PRICES.sqsMillionRequests) / MILLION)
      : [],
  'AWS::SecretsManager::Secret': () => costOf('Secrets Manager, secret', PRICES.secretMonth),
  'AWS::WAFv2::WebACL': (_, { Properties }) => [
    ...costOf('AWS WAF, firewall', PRICES.firewallMonth),
    ...costOf('AWS WAF, rules', PRICES.firewallRuleMonth, ((Properties?.['Rules'] ?? []) as object[]).length),
  ],
};

/** The types that cost nothing without requests, or without stored data. */
const FREE = [
  /^AWS::(?:ApiGateway|Budgets|CodeDeploy|DynamoDB|IAM|Logs|SNS|SQS|SSM|XRay)::/,
  /^AWS::Events::EventBus$/,
  /^AWS::Lambda::(?:Alias|Function|Permission|Version|EventInvokeConfig)$/,
  /^AWS::WAFv2::(?:IPSet|WebACLAssociation)$/,
];

/**
 * Computes what a stage costs in a month without requests, by part. The service's own metrics are free then, because they
 * have no values.
 *
 * @throws Error if the template has a type of resource whose price is unknown
 */
export const unusedStageCosts = (template: Template): readonly UnusedCost[] => {
  const { Resources: resources } = template.toJSON() as StackTemplate;
  const costs = Object.entries(resources).flatMap(([id, resource]) => {
    const cost = COSTS[resource.Type];
    if (cost) return cost(id, resource, resources);
    if (FREE.some((pattern) => pattern.test(resource.Type))) return [];
    throw new Error(`The price of ${resource.Type} is unknown: add it to unused-stage-costs.ts`);
  });
  return [...Map.groupBy(costs, ({ part }) => part)].map(([part, same]) => ({
    part,
    count: same.reduce((sum, { count }) => sum + count, 0),
    price: (same[0] as UnusedCost).price,
  }));
};

/** The dollars of a part in a month, to the cent. */
export const dollarsOf = ({ count, price }: UnusedCost): number => Math.round(100 * count * price) / 100;

/** The dollars of a stage in a month without requests. */
export const unusedStageTotal = (costs: readonly UnusedCost[]): number =>
  costs.reduce((sum, cost) => sum + dollarsOf(cost), 0);
