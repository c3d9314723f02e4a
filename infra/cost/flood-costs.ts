import type { Template } from 'aws-cdk-lib/assertions';
import { OPERATIONS, type OperationName } from '../../functions/operations.ts';
import { resourcesOf } from './idle-costs.ts';
import { OPERATION_COSTS, PRICES } from './model.ts';
import { OPERATION_USE, type OperationUse } from './operation-use.ts';
import { costsOf, partsOf, totalOf } from './request-costs.ts';

/** The most that the requests to methods with the same limit can cost. */
export interface FloodCost {
  readonly methods: string;
  readonly count: number;
  /** The limit of each. */
  readonly requestsPerSecond: number;
  /** The cost of a million requests, with items below 1 KB. */
  readonly dollars: number;
  /** The cost of a million of the largest valid requests. */
  readonly largestDollars: number;
}

const hasOwnModel = (name: OperationName): name is keyof typeof OPERATION_COSTS => name in OPERATION_COSTS;

const dollarsOf = (name: OperationName): number =>
  totalOf(hasOwnModel(name) ? costsOf(name) : partsOf(OPERATION_USE[name].usual));

const largestDollarsOf = (name: OperationName): number => {
  const { logBytes } = hasOwnModel(name) ? OPERATION_COSTS[name] : OPERATION_USE[name].usual;
  const { largest }: Partial<OperationUse> = OPERATION_USE[name];
  return largest ? totalOf(partsOf({ logBytes, ...largest })) : dollarsOf(name);
};

const ACCESS_LINE_BYTES = 104;

/** A response of the gateway itself: a request, and a line of the access log. */
const OWN_RESPONSE = PRICES.apiGateway[0].price + (ACCESS_LINE_BYTES / 1_000) * PRICES.logsGigabyte;

/** `ANY` is a method for each of DELETE, GET, HEAD, OPTIONS, PATCH, POST and PUT. */
const VERBS_OF_ANY = 7;

interface Method {
  readonly HttpMethod: string;
  readonly ResourceId: unknown;
}

interface MethodSetting {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

const propertiesOf = (template: Template, type: string): unknown[] =>
  Object.values(resourcesOf(template)).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));

/** The number of methods of the gateway. */
const methodsIn = (template: Template): number => {
  const methods = propertiesOf(template, 'AWS::ApiGateway::Method') as Method[];
  const byPath = Map.groupBy(methods, ({ ResourceId }) => JSON.stringify(ResourceId));
  const verbs = [...byPath.values()].map((own) =>
    own.some(({ HttpMethod }) => HttpMethod === 'ANY') ? VERBS_OF_ANY : own.length,
  );
  return verbs.reduce((sum, count) => sum + count, 0);
};

/** The throttles of a stage's gateway, with the operation of each. The one without an operation is for all other methods. */
export const throttlesIn = (template: Template) => {
  const [stage] = propertiesOf(template, 'AWS::ApiGateway::Stage') as { MethodSettings: MethodSetting[] }[];
  return (stage?.MethodSettings ?? []).map((setting) => {
    const path = setting.ResourcePath.slice(1).replaceAll('~1', '/');
    const operation = (Object.keys(OPERATIONS) as OperationName[]).find(
      (name) => OPERATIONS[name].method === setting.HttpMethod && OPERATIONS[name].path === path,
    );
    return { ...setting, path, operation };
  });
};

/** Computes the most that a stage's requests can cost: the limit of every method of its gateway, used up. */
export const floodCosts = (template: Template): readonly FloodCost[] => {
  const settings = throttlesIn(template);
  const firewalls = propertiesOf(template, 'AWS::WAFv2::WebACL').length;
  return settings.map(({ HttpMethod, path, operation, ThrottlingRateLimit: requestsPerSecond }) => {
    const firewall = firewalls * PRICES.firewallMillionRequests;
    const isForOthers = HttpMethod === '*';
    return {
      methods: isForOthers ? 'each other method: unknown paths, preflights' : `\`${HttpMethod} ${path}\``,
      // The setting of all methods is for those without one of their own.
      count: isForOthers ? methodsIn(template) - (settings.length - 1) : 1,
      requestsPerSecond,
      dollars: (operation ? dollarsOf(operation) : OWN_RESPONSE) + firewall,
      largestDollars: (operation ? largestDollarsOf(operation) : OWN_RESPONSE) + firewall,
    };
  });
};

const SECONDS_PER_DAY = 86_400;

/** The dollars of a day, by the price of a million requests. */
export const dayOf = ({ count, requestsPerSecond }: FloodCost, dollars: number): number =>
  (count * requestsPerSecond * SECONDS_PER_DAY * dollars) / 1e6;
