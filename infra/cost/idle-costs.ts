import type { Template } from 'aws-cdk-lib/assertions';
import { ABANDONMENT_COSTS } from './event-costs.ts';
import { PRICES, SECONDS_PER_MONTH } from './model.ts';
import { costsOf, totalOf } from './request-costs.ts';

/** A part of what a stage costs without requests. */
export interface IdleCost {
  readonly part: string;
  readonly count: number;
  /** Dollars a month of each. */
  readonly price: number;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

type Resources = Readonly<Record<string, Resource>>;

/** The resources of a template, by their logical ids. */
export const resourcesOf = (template: Template): Resources => template.toJSON()['Resources'] as Resources;

/** The logical id that `Fn::GetAtt` leads to. */
const idOf = (reference: unknown): string =>
  (reference as { 'Fn::GetAtt'?: readonly string[] })['Fn::GetAtt']?.[0] ?? '';

const costOf = (part: string, price: number, count = 1): IdleCost[] => [{ part, count, price }];

const MILLION = 1_000_000;

/**
 * Lambda reads an idle queue by five long polls, of 20 s at most. With a maximum concurrency, it does not use fewer.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const POLLS_PER_MONTH = (5 * SECONDS_PER_MONTH) / 20;

const RUNS_PER_MONTH = SECONDS_PER_MONTH / 60;

interface Run {
  /** Assumed. */
  readonly durationMs: number;
  readonly writes: number;
  readonly reads: number;
  /** Whether it creates and retrieves a cart, which then expires. */
  readonly usesApi?: true;
}

/** A run of each function that a rule invokes every minute, by its logical id, while the stage is idle. */
const RUNS: Readonly<Record<string, Run>> = {
  // 48 queries (`test/functions/event-permissions.test.ts`), of half a read unit each (`test/functions/expiry-cost.test.ts`).
  RunDue: { durationMs: 150, writes: 0, reads: 24 },
  Canary: { durationMs: 150, writes: 0, reads: 1, usesApi: true },
};

const millionRuns = (
  { durationMs, writes, reads, usesApi }: Run,
  memoryMb: number,
  firewall: number,
): number => {
  const carts =
    totalOf(costsOf('createCartCheckout')) + totalOf(costsOf('getCart')) + totalOf(ABANDONMENT_COSTS);
  return (
    PRICES.lambdaMillionRequests +
    1_000 * durationMs * (memoryMb / 1_024) * PRICES.lambdaGigabyteSecond +
    writes * PRICES.dynamodbMillionWrites +
    reads * PRICES.dynamodbMillionReads +
    (usesApi ? carts + 2 * firewall : 0)
  );
};

const scheduleCosts = ({ Properties: rule }: Resource, resources: Resources): IdleCost[] => {
  if (rule?.['ScheduleExpression'] === undefined) return [];
  const hasFirewall = Object.values(resources).some(({ Type }) => Type === 'AWS::WAFv2::WebACL');
  return (rule['Targets'] as readonly { Arn: unknown }[]).flatMap(({ Arn }) => {
    const memoryMb = Number(resources[idOf(Arn)]?.Properties?.['MemorySize']);
    const name = idOf(Arn).replace(/[0-9A-F]{8}$/, '');
    const run = RUNS[name];
    if (!run) throw new Error(`The runs of ${name} have no price: add them to RUNS in idle-costs.ts`);
    const dollars = millionRuns(run, memoryMb, hasFirewall ? PRICES.firewallMillionRequests : 0);
    return costOf(`${name}, every minute`, (dollars * RUNS_PER_MONTH) / MILLION);
  });
};

const alarmCosts = (id: string, { Properties }: Resource): IdleCost[] => {
  const queries = (Properties?.['Metrics'] ?? []) as readonly { MetricStat?: object }[];
  const metrics = queries.filter(({ MetricStat }) => MetricStat).length;
  const part = `CloudWatch, metrics of alarms${id.startsWith('Rollout') ? ' on roll-outs' : ''}`;
  // An alarm without an expression has one metric.
  return costOf(part, PRICES.alarmMetricMonth, Math.max(1, metrics));
};

/** The monthly cost of each type of resource without requests. */
const COSTS: Readonly<Record<string, (id: string, resource: Resource, all: Resources) => IdleCost[]>> = {
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
export const idleCosts = (template: Template): readonly IdleCost[] => {
  const resources = resourcesOf(template);
  const costs = Object.entries(resources).flatMap(([id, resource]) => {
    const cost = COSTS[resource.Type];
    if (cost) return cost(id, resource, resources);
    if (FREE.some((pattern) => pattern.test(resource.Type))) return [];
    throw new Error(`The price of ${resource.Type} is unknown: add it to idle-costs.ts`);
  });
  return [...Map.groupBy(costs, ({ part }) => part)].map(([part, same]) => ({
    part,
    count: same.reduce((sum, { count }) => sum + count, 0),
    price: (same[0] as IdleCost).price,
  }));
};

/** The dollars of a part in a month, to the cent. */
export const dollarsOf = ({ count, price }: IdleCost): number => Math.round(100 * count * price) / 100;

/** The dollars of a stage in a month without requests. */
export const idleTotal = (costs: readonly IdleCost[]): number =>
  costs.reduce((sum, cost) => sum + dollarsOf(cost), 0);
