import type { Template } from 'aws-cdk-lib/assertions';
import type { OperationName } from '../../functions/operations.ts';
import { propertiesOf, type StackTemplate, throttlesIn } from '../stage/stack-template.ts';
import { eventsOf, largestUseOf, OPERATION_USE } from './aws-use.ts';
import { ABANDONMENT_COSTS, costsOf, FAN_OUT_COSTS, totalOf } from './costs-per-million.ts';
import { PRICES } from './prices.ts';

/** The most that the requests to methods with the same limit can cost, or the expiries that they cause. */
interface FloodCost {
  readonly methods: string;
  readonly count: number;
  /** The limit of each. */
  readonly requestsPerSecond: number;
  /** The cost of a million requests and their events, with items below 1 KB. */
  readonly dollars: number;
  /** The cost of a million of the largest valid requests and their events. */
  readonly largestDollars: number;
}

const ACCESS_LINE_BYTES = 104;

/** A response of the gateway itself: a request, and a line of the access log. */
const OWN_RESPONSE = PRICES.apiGateway[0].price + (ACCESS_LINE_BYTES / 1_000) * PRICES.logsGigabyte;

/** `ANY` is a method for each of DELETE, GET, HEAD, OPTIONS, PATCH, POST and PUT. */
const VERBS_OF_ANY = 7;

interface Method {
  readonly HttpMethod: string;
  readonly ResourceId: unknown;
}

/** The number of methods of the gateway. */
const methodsIn = (template: StackTemplate): number => {
  const methods = propertiesOf(template, 'AWS::ApiGateway::Method') as unknown as readonly Method[];
  const byPath = Map.groupBy(methods, ({ ResourceId }) => JSON.stringify(ResourceId));
  const verbs = [...byPath.values()].map((own) =>
    own.some(({ HttpMethod }) => HttpMethod === 'ANY') ? VERBS_OF_ANY : own.length,
  );
  return verbs.reduce((sum, count) => sum + count, 0);
};

/** The dollars of a million requests to an operation, with their events. */
const dollarsOf = (operation: OperationName, size: 'usual' | 'largest'): number => {
  const isLarger = size === 'largest' && 'largest' in OPERATION_USE[operation];
  return (
    totalOf(costsOf(operation, isLarger ? largestUseOf(operation) : {})) +
    eventsOf(operation) * totalOf(FAN_OUT_COSTS[isLarger ? 'largest' : 'usual'])
  );
};

/** Every created cart expires without a payment. */
const expiryCost = ({ requestsPerSecond }: Pick<FloodCost, 'requestsPerSecond'>): FloodCost => ({
  methods: 'the expiry of each created cart',
  count: 1,
  requestsPerSecond,
  dollars: totalOf(ABANDONMENT_COSTS.usual),
  largestDollars: totalOf(ABANDONMENT_COSTS.largest),
});

/**
 * Computes the most that a stage's requests can cost: the limit of every method of its gateway, used up, then the expiry of the
 * created carts.
 */
export const floodCosts = (production: Template): readonly FloodCost[] => {
  const template = production.toJSON() as StackTemplate;
  const throttles = throttlesIn(template);
  const firewall = propertiesOf(template, 'AWS::WAFv2::WebACL').length * PRICES.firewallMillionRequests;
  return throttles.flatMap(({ HttpMethod, path, operation, ThrottlingRateLimit: requestsPerSecond }) => {
    const isForOthers = HttpMethod === '*';
    const priceOf = (size: 'usual' | 'largest'): number =>
      firewall + (operation ? dollarsOf(operation, size) : OWN_RESPONSE);
    const cost = {
      methods: isForOthers ? 'each other method: unknown paths, preflights' : `\`${HttpMethod} ${path}\``,
      // The setting of all methods is for those without one of their own.
      count: isForOthers ? methodsIn(template) - (throttles.length - 1) : 1,
      requestsPerSecond,
      dollars: priceOf('usual'),
      largestDollars: priceOf('largest'),
    };
    return operation === 'createCartCheckout' ? [cost, expiryCost(cost)] : [cost];
  });
};

const SECONDS_PER_DAY = 86_400;

/** The dollars of a day, by the price of a million requests. */
export const dayOf = ({ count, requestsPerSecond }: FloodCost, dollars: number): number =>
  (count * requestsPerSecond * SECONDS_PER_DAY * dollars) / 1e6;
