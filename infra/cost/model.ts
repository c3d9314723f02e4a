import { limitsOf } from '../stage/function-limits.ts';

interface OperationCost {
  /** The operation's part of all requests, from 0 to 1. */
  readonly share: number;
  /** Milliseconds from the invocation to the response in a warm environment. See {@link WARM_MS}. */
  readonly durationMs: number;
  /** Write and read units by table, with items under 1 KB. `test/functions/consumed-capacity.test.ts` measures them. */
  readonly keyWrites: number;
  readonly cartWrites: number;
  /** Write units of the index of the carts' timers. */
  readonly indexWrites: number;
  readonly productReads: number;
  readonly cartReads: number;
  /** Bytes of the log lines of function and gateway. `test/functions/log-bytes.test.ts` measures them. */
  readonly logBytes: number;
}

/**
 * Milliseconds of a warm request: 1,024 MB, which have 0.58 of a processor, and 2 ms for each of DynamoDB's responses.
 * Measured by `npm run bench -- first-request` on 2026-11-22, on 2 x Intel Xeon.
 */
export const WARM_MS = { createCartCheckout: 10.3, getCart: 8.6 } as const;

/** The costs of the operations that make up the load. A merchant creates a cart, then retrieves it three times. */
export const OPERATION_COSTS = {
  createCartCheckout: {
    share: 1 / 4,
    durationMs: WARM_MS.createCartCheckout,
    keyWrites: 1,
    cartWrites: 1,
    indexWrites: 1,
    productReads: 0.5,
    cartReads: 0,
    logBytes: 543,
  },
  getCart: {
    share: 3 / 4,
    durationMs: WARM_MS.getCart,
    keyWrites: 1,
    cartWrites: 0,
    indexWrites: 0,
    productReads: 0,
    cartReads: 1,
    logBytes: 491,
  },
} as const satisfies Readonly<Record<string, OperationCost>>;

/**
 * The share of requests that X-Ray traces in production. Its default rule traces one a second, and one in twenty of the others.
 */
export const TRACED_SHARE = 0.01;

/** Assumed: the time from a request that finds no environment to its response. */
const COLD_START_MS = 500;

/** Assumed: the largest stored cart. A cart below this size costs one write unit. */
const CART_BYTES = 1_000;

/** Memory of each function of the API. */
export const FUNCTION_MEMORY_MB = limitsOf('create-cart-checkout').memoryMb;

/** AWS counts 730 hours in a month. */
export const SECONDS_PER_MONTH = 730 * 3_600;

/** Computes the demand of a steady rate of requests, per second unless a name says otherwise. */
export const loadOf = (
  requests: number,
  costs: Readonly<Record<keyof typeof OPERATION_COSTS, OperationCost>> = OPERATION_COSTS,
) => {
  const all = Object.values(costs);
  const sum = (of: (cost: OperationCost) => number): number =>
    all.reduce((total, cost) => total + requests * cost.share * of(cost), 0);
  return {
    requests,
    creations: requests * costs.createCartCheckout.share,
    retrievals: requests * costs.getCart.share,
    /** Environments busy at the same time: rate times duration (Little's law). */
    concurrency: sum(({ durationMs }) => durationMs) / 1_000,
    /** Environments that the busiest function starts if the whole rate arrives at once and none runs yet. */
    coldEnvironments: (requests * Math.max(...all.map(({ share }) => share)) * COLD_START_MS) / 1_000,
    /** As Lambda bills them: the duration of each request is rounded up to a millisecond. */
    gigabyteSeconds: (sum(({ durationMs }) => Math.ceil(durationMs)) / 1_000) * (FUNCTION_MEMORY_MB / 1_024),
    keyWrites: sum(({ keyWrites }) => keyWrites),
    cartWrites: sum(({ cartWrites }) => cartWrites),
    indexWrites: sum(({ indexWrites }) => indexWrites),
    productReads: sum(({ productReads }) => productReads),
    cartReads: sum(({ cartReads }) => cartReads),
    logBytes: sum(({ logBytes }) => logBytes),
    millionsPerMonth: (requests * SECONDS_PER_MONTH) / 1e6,
  };
};

export type Load = ReturnType<typeof loadOf>;

/** List prices of us-east-1 in dollars, without free tiers, as remembered in November 2026. */
export const PRICES = {
  /** The price of a million requests to a REST API, by the millions of the month so far. */
  apiGateway: [
    { untilMillions: 333, price: 3.5 },
    { untilMillions: 1_000, price: 2.8 },
    { untilMillions: 20_000, price: 2.38 },
    { untilMillions: Infinity, price: 1.51 },
  ],
  lambdaMillionRequests: 0.2,
  lambdaGigabyteSecond: 0.0000133334,
  dynamodbMillionWrites: 0.625,
  dynamodbMillionReads: 0.125,
  /** Includes the backups of a stage that keeps its data. */
  dynamodbGigabyteMonth: 0.45,
  logsGigabyte: 0.5,
  xrayMillionTraces: 5,
  sqsMillionRequests: 0.4,
  busMillionEvents: 1,
  firewallMillionRequests: 0.6,
  firewallMonth: 5,
  firewallRuleMonth: 1,
  /** An alarm costs this for each metric of its expression. */
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  secretMonth: 0.4,
} as const;

const apiGatewayCost = (millions: number): number => {
  let fromMillions = 0;
  let cost = 0;
  for (const { untilMillions, price } of PRICES.apiGateway) {
    cost += Math.max(0, Math.min(millions, untilMillions) - fromMillions) * price;
    fromMillions = untilMillions;
  }
  return cost;
};

/**
 * Computes the dollars per month, by service, of a load that stays the same day and night.
 *
 * @param stageMonth what production costs without requests
 */
export const monthlyCosts = (load: Load, stageMonth: number): Readonly<Record<string, number>> => {
  const millions = (perSecond: number): number => (perSecond * SECONDS_PER_MONTH) / 1e6;
  const gigabytes = (bytesPerSecond: number): number => millions(bytesPerSecond) / 1e3;
  return {
    'API Gateway': apiGatewayCost(load.millionsPerMonth),
    'Lambda, requests': load.millionsPerMonth * PRICES.lambdaMillionRequests,
    'Lambda, GB-seconds': load.gigabyteSeconds * SECONDS_PER_MONTH * PRICES.lambdaGigabyteSecond,
    'DynamoDB, write units':
      millions(load.keyWrites + load.cartWrites + load.indexWrites) * PRICES.dynamodbMillionWrites,
    'DynamoDB, read units': millions(load.productReads + load.cartReads) * PRICES.dynamodbMillionReads,
    'DynamoDB, a month of carts': gigabytes(load.creations * CART_BYTES) * PRICES.dynamodbGigabyteMonth,
    'CloudWatch, logs': gigabytes(load.logBytes) * PRICES.logsGigabyte,
    'X-Ray': load.millionsPerMonth * TRACED_SHARE * PRICES.xrayMillionTraces,
    'The stage itself': stageMonth,
  };
};
