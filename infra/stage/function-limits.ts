import {
  type EventFunctionName,
  type FunctionName,
  type HttpFunctionName,
  isHttpFunction,
  type OperationName,
} from '../../functions/operations.ts';
import type { Lane } from '../../lib/deliveries/lanes.ts';
import type { Mode } from '../../lib/stores/mode.ts';

/** Requests that the gateway accepts. */
export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** The limits of each operation of a function, as parts of the stage's rate and burst. */
export interface OperationLimits {
  readonly rate: number;
  readonly burst: number;
  /** The highest limits of any stage. */
  readonly max?: Throttle;
}

/** The resources of a function. */
interface FunctionLimits {
  /** A function with 1,769 MB has one processor, others a share of one. */
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** The executions that production reserves: no other function can use them, and this one can use no more. */
  readonly concurrency: number;
  /** Whether the function may continue a recursive loop. Otherwise, Lambda stops it after about 16 invocations. */
  readonly allowsRecursion?: true;
}

/** The most payment events of one invocation. Those of one store share a transaction. */
export const PAYMENTS_BATCH_SIZE = 10;

/**
 * The most batches of payment events at the same time, each in about 40 ms: a thousand payments a second. SQS keeps the
 * others. More batches would make payments of one store conflict: its log takes one transaction at a time. With five, it
 * takes 200 payments a second.
 *
 * The event source and the function have the same limit. SQS therefore never gets a throttled invocation, which would count
 * as an attempt.
 */
export const PAYMENTS_CONCURRENCY = 5;

/** The most deliveries of one invocation. */
export const DELIVERIES_BATCH_SIZE = 10;

/** The most batches of each delivery queue at the same time. */
export type DeliveriesConcurrency = Readonly<Record<Mode, Readonly<Record<Lane, number>>>>;

/**
 * With receivers that take 200 ms, live mode delivers about 250 events a second in batches of one, and up to 2,500 in full
 * batches. A store has at most ten executions of `slow`: one for each endpoint. Test mode delays no live webhook. The function has
 * the sum, so its event sources meet no throttle.
 */
export const DELIVERIES_CONCURRENCY = {
  live: { quick: 50, slow: 40 },
  test: { quick: 40, slow: 20 },
} as const satisfies DeliveriesConcurrency;

/** The batches of all queues together. */
export const totalOf = ({ live, test }: DeliveriesConcurrency): number =>
  live.quick + live.slow + test.quick + test.slow;

/**
 * The executions of the functions behind the gateway, and the limits of their operations. A flood of requests starves neither
 * payment events nor the other functions. At 1,000 requests a second, an operation needs about 14 executions. 290 suffice while
 * DynamoDB takes 0.29 s for each.
 *
 * A function with fewer executions has lower limits. One API key with the default limits must not hold all of them
 * (`docs/scale.md`, "What one key can hold"). A key may send ten requests a second all day, so each rate is higher.
 */
const HTTP_LIMITS: Readonly<
  Record<HttpFunctionName, Pick<FunctionLimits, 'concurrency'> & { readonly throttle: OperationLimits }>
> = {
  'create-cart-checkout': { concurrency: 292, throttle: { rate: 1, burst: 1 } },
  // More than a creation: the payment side reads its carts here too (`docs/decisions.md`).
  'get-cart': { concurrency: 293, throttle: { rate: 1, burst: 1 } },
  'sandbox-checkout': { concurrency: 40, throttle: { rate: 1 / 10, burst: 1 / 20 } },
  'list-events': { concurrency: 20, throttle: { rate: 1 / 5, burst: 1 / 20 } },
  products: { concurrency: 20, throttle: { rate: 1 / 5, burst: 1 / 20 } },
  // Each request writes an event. More writers would make a store's payments wait for its log, whatever the stage's rate.
  'expire-cart': {
    concurrency: 5,
    throttle: { rate: 1, burst: 1, max: { requestsPerSecond: 20, burst: 20 } },
  },
  // One key can hold 19 of them (`docs/scale.md`). The function has nine operations.
  'webhook-endpoints': {
    concurrency: 20,
    throttle: { rate: 1 / 50, burst: 1 / 50, max: { requestsPerSecond: 20, burst: 10 } },
  },
};

const EVENT_LIMITS: Readonly<Record<EventFunctionName, FunctionLimits>> = {
  // A payment takes three or four round trips to DynamoDB.
  'record-payment': { memoryMb: 1_024, timeoutSeconds: 6, concurrency: PAYMENTS_CONCURRENCY },
  // A run that hangs does not stop the next one.
  canary: { memoryMb: 1_024, timeoutSeconds: 6, concurrency: 2 },
  // A batch has at most 100 events. The stream keeps a throttled batch.
  'fan-out-events': { memoryMb: 256, timeoutSeconds: 30, concurrency: 20 },
  // It ends before the next run starts. A late run may overlap the next one.
  'run-due': { memoryMb: 512, timeoutSeconds: 55, concurrency: 2 },
  // The function mostly waits for receivers. With batches of ten deliveries of 25 KB, its process takes 113 MB.
  'deliver-webhooks': {
    memoryMb: 192,
    // Two attempts of an endpoint that hangs, one after the other.
    timeoutSeconds: 30,
    concurrency: totalOf(DELIVERIES_CONCURRENCY),
    // An endpoint that recovers gets its parked deliveries by one chain of messages. The chain ends with the last of them,
    // because attempts are limited. A message repeats without an attempt only after a conflict with other writers.
    allowsRecursion: true,
  },
};

/** The time limit of HTTP functions, in AWS and on the local stage. */
export const FUNCTION_TIMEOUT_MS = 6_000;

/** The limits of this function. A caller waits for functions of HTTP requests, so they have 0.58 of a processor. */
export const limitsOf = (name: FunctionName): FunctionLimits =>
  isHttpFunction(name)
    ? { memoryMb: 1_024, timeoutSeconds: FUNCTION_TIMEOUT_MS / 1_000, ...HTTP_LIMITS[name] }
    : EVENT_LIMITS[name];

/** The limits of each operation of this function. */
export const operationLimitsOf = (name: HttpFunctionName): OperationLimits => HTTP_LIMITS[name].throttle;

/** The use of one request: milliseconds of the function, units of DynamoDB, and bytes of logs. */
export interface Amounts {
  readonly durationMs: number;
  readonly writes: number;
  readonly reads: number;
  readonly logBytes: number;
}

/**
 * The use of a request to an operation, rounded up. The costs of a flood and the executions that one key can hold follow from it.
 *
 * The milliseconds are the longest that a caller can cause, without a wait for the DNS. They include the CPU time at 0.58 of
 * a processor, measured with the largest carts and pages. A call of DynamoDB adds 5 ms, and a large one 20 ms. An event takes 100
 * ms, because up to five executions write the log of one store.
 */
export interface OperationUse {
  /**
   * With items below 1 KB. A page has 100 events or deliveries. A delivery has 20 attempts with 500 letters each.
   * `test/functions/consumed-capacity.test.ts` measures the units of merchants' operations. The test of this name in
   * `webhook-endpoints` measures those of endpoints, for a store with ten of nearly 1 KB each. The units of the sandbox and of
   * the payment side are assumed.
   */
  readonly usual: Amounts;
  /**
   * About a cart that is as large as the API permits: 50 entries of `meta`, with 40 characters and 500 of four bytes each.
   * `test/functions/largest-units.test.ts` measures those of merchants. Those of the sandbox and of the payment side follow
   * from the sizes of cart and event. Absent if the request uses no more.
   */
  readonly largest?: Omit<Amounts, 'logBytes'>;
}

/** The operations whose requests make up the load. `infra/cost/model.ts` has their usual costs. */
export type LoadOperation = 'createCartCheckout' | 'getCart';

/** The use of each operation. The compiler reports a missing one. */
export const OPERATION_USE = {
  // A rejection that names products reads up to 2.5 units and writes one, which costs less.
  createCartCheckout: { largest: { durationMs: 40, writes: 116, reads: 0.5 } },
  getCart: { largest: { durationMs: 20, writes: 1, reads: 29 } },
  getPaymentCart: {
    usual: { durationMs: 20, writes: 0, reads: 1.5, logBytes: 500 },
    largest: { durationMs: 20, writes: 0, reads: 29.5 },
  },
  expireCart: {
    usual: { durationMs: 100, writes: 8, reads: 2, logBytes: 500 },
    largest: { durationMs: 100, writes: 462, reads: 30 },
  },
  listEvents: {
    usual: { durationMs: 60, writes: 1, reads: 26, logBytes: 500 },
    largest: { durationMs: 60, writes: 1, reads: 257 },
  },
  listProducts: { usual: { durationMs: 40, writes: 1, reads: 12, logBytes: 500 } },
  getProduct: { usual: { durationMs: 20, writes: 1, reads: 0.5, logBytes: 500 } },
  createWebhookEndpoint: { usual: { durationMs: 100, writes: 12, reads: 6, logBytes: 650 } },
  listWebhookEndpoints: { usual: { durationMs: 30, writes: 1, reads: 2, logBytes: 650 } },
  getWebhookEndpoint: { usual: { durationMs: 30, writes: 1, reads: 1, logBytes: 650 } },
  updateWebhookEndpoint: { usual: { durationMs: 100, writes: 9, reads: 4, logBytes: 650 } },
  deleteWebhookEndpoint: { usual: { durationMs: 100, writes: 9, reads: 2, logBytes: 650 } },
  rotateWebhookSecret: { usual: { durationMs: 100, writes: 9, reads: 3, logBytes: 650 } },
  testWebhookEndpoint: { usual: { durationMs: 30, writes: 2, reads: 1, logBytes: 650 } },
  listWebhookDeliveries: { usual: { durationMs: 60, writes: 1, reads: 257, logBytes: 650 } },
  resendWebhookDelivery: { usual: { durationMs: 30, writes: 2, reads: 5, logBytes: 650 } },
  openSandboxCheckout: {
    usual: { durationMs: 20, writes: 0, reads: 2, logBytes: 500 },
    largest: { durationMs: 20, writes: 0, reads: 30 },
  },
  submitSandboxCheckout: {
    usual: { durationMs: 110, writes: 12, reads: 3, logBytes: 500 },
    largest: { durationMs: 110, writes: 465, reads: 31 },
  },
} as const satisfies Readonly<
  Record<Exclude<OperationName, LoadOperation>, OperationUse> &
    Record<LoadOperation, Pick<OperationUse, 'largest'>>
>;

/** The medians of `npm run bench -- init` for a function's bundle. */
export interface BundleFigures {
  readonly kilobytes: number;
  /** The CPU time of its import, relative to the unmodified document client. */
  readonly importRatio: number;
  /** Whether it has clients of other AWS services. */
  readonly hasOtherClients?: true;
}

export const BUNDLES: Readonly<Record<FunctionName, BundleFigures>> = {
  'create-cart-checkout': { kilobytes: 278, importRatio: 1.048 },
  'get-cart': { kilobytes: 269, importRatio: 0.978 },
  'expire-cart': { kilobytes: 273, importRatio: 0.997 },
  'list-events': { kilobytes: 265, importRatio: 0.973 },
  products: { kilobytes: 265, importRatio: 0.973 },
  'webhook-endpoints': { kilobytes: 337, importRatio: 1.183, hasOtherClients: true },
  'sandbox-checkout': { kilobytes: 293, importRatio: 0.992 },
  'record-payment': { kilobytes: 299, importRatio: 1.029, hasOtherClients: true },
  canary: { kilobytes: 234, importRatio: 0.884 },
  'fan-out-events': { kilobytes: 310, importRatio: 1.057, hasOtherClients: true },
  'run-due': { kilobytes: 283, importRatio: 1.021, hasOtherClients: true },
  'deliver-webhooks': { kilobytes: 317, importRatio: 1.077, hasOtherClients: true },
};
