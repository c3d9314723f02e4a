import type { Template } from 'aws-cdk-lib/assertions';
import { OPERATIONS, type OperationName } from '../../../functions/operations.ts';
import { resourcesOf } from './idle-costs.ts';
import { OPERATION_COSTS, PRICES } from './model.ts';
import { type Amounts, costsOf, partsOf, totalOf } from './request-costs.ts';

/** The most that the requests to methods with the same limit can cost. */
export interface FloodCost {
  readonly methods: string;
  readonly count: number;
  /** The limit of each. */
  readonly requestsPerSecond: number;
  /** Of a million requests, with items below 1 KB. */
  readonly dollars: number;
  /** Of a million of the largest valid requests. */
  readonly largestDollars: number;
}

type OtherOperation = Exclude<OperationName, keyof typeof OPERATION_COSTS>;

/**
 * The amounts of a request of the other operations, rounded up. A page has 100 events or deliveries. A payment in the sandbox
 * is not the first action of its cart. A delivery has 20 attempts with 500 letters each.
 * `test/functions/consumed-capacity.test.ts` measures the units of merchants' operations. The test of this name in
 * `webhook-endpoints` measures those of endpoints, for a store with ten of nearly 1 KB each. The units of the sandbox and of the
 * payment side are assumed.
 *
 * The milliseconds are the longest that a caller can cause, without a wait for the DNS. They include the CPU time at 0.58 of
 * a processor, measured with the largest carts and pages. A call of DynamoDB adds 5 ms, and a large one 20 ms. An event takes 100
 * ms, because up to five executions write the log of one store.
 */
export const OTHER_AMOUNTS: Readonly<Record<OtherOperation, Amounts>> = {
  listEvents: { durationMs: 60, writes: 1, reads: 26, logBytes: 500 },
  expireCart: { durationMs: 100, writes: 8, reads: 2, logBytes: 500 },
  openSandboxCheckout: { durationMs: 20, writes: 0, reads: 2, logBytes: 500 },
  submitSandboxCheckout: { durationMs: 110, writes: 12, reads: 3, logBytes: 500 },
  createWebhookEndpoint: { durationMs: 100, writes: 12, reads: 6, logBytes: 650 },
  listWebhookEndpoints: { durationMs: 30, writes: 1, reads: 2, logBytes: 650 },
  getWebhookEndpoint: { durationMs: 30, writes: 1, reads: 1, logBytes: 650 },
  updateWebhookEndpoint: { durationMs: 100, writes: 9, reads: 4, logBytes: 650 },
  deleteWebhookEndpoint: { durationMs: 100, writes: 9, reads: 2, logBytes: 650 },
  rotateWebhookSecret: { durationMs: 100, writes: 9, reads: 3, logBytes: 650 },
  testWebhookEndpoint: { durationMs: 30, writes: 2, reads: 1, logBytes: 650 },
  listWebhookDeliveries: { durationMs: 60, writes: 1, reads: 257, logBytes: 650 },
  resendWebhookDelivery: { durationMs: 30, writes: 2, reads: 5, logBytes: 650 },
  getPaymentCart: { durationMs: 20, writes: 0, reads: 1.5, logBytes: 500 },
};

/**
 * The milliseconds and units of the requests about a cart that is as large as the API permits: 50 entries of `meta`, with 40
 * characters and 500 of four bytes each. `test/functions/largest-units.test.ts` measures the first four. Those of the
 * sandbox and of the payment side follow from the sizes of cart and event.
 */
export const LARGEST_AMOUNTS: Partial<Readonly<Record<OperationName, Omit<Amounts, 'logBytes'>>>> = {
  createCartCheckout: { durationMs: 40, writes: 116, reads: 0.5 },
  getCart: { durationMs: 20, writes: 1, reads: 29 },
  expireCart: { durationMs: 100, writes: 462, reads: 30 },
  listEvents: { durationMs: 60, writes: 1, reads: 257 },
  openSandboxCheckout: { durationMs: 20, writes: 0, reads: 30 },
  submitSandboxCheckout: { durationMs: 110, writes: 465, reads: 31 },
  getPaymentCart: { durationMs: 20, writes: 0, reads: 29.5 },
};

const hasOwnModel = (name: OperationName): name is keyof typeof OPERATION_COSTS => name in OPERATION_COSTS;

const dollarsOf = (name: OperationName): number =>
  totalOf(hasOwnModel(name) ? costsOf(name) : partsOf(OTHER_AMOUNTS[name]));

const largestDollarsOf = (name: OperationName): number => {
  const { logBytes } = hasOwnModel(name) ? OPERATION_COSTS[name] : OTHER_AMOUNTS[name];
  const largest = LARGEST_AMOUNTS[name];
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
