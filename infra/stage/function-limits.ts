import type { EventFunctionName } from '../../functions/event-functions.ts';
import { type FunctionName, isHttpFunction } from '../../functions/function-needs.ts';
import type { HttpFunctionName } from '../../functions/operations.ts';
import { batchesOf } from './queues.ts';
import type { Throttle } from './throttle.ts';

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
  /** Whether it gets more or fewer executions with the total. Writers of a store's log must stay few. */
  readonly isScaled?: true;
  /** Whether the function may continue a recursive loop. Otherwise, Lambda stops it after about 16 invocations. */
  readonly allowsRecursion?: true;
}

/**
 * The executions of the functions behind the gateway, and the limits of their operations. A flood of requests starves neither
 * payment events nor the other functions. At 1,000 requests a second, an operation needs about 14 executions. 290 suffice while
 * DynamoDB takes 0.29 s for each.
 *
 * A function with fewer executions has lower limits. One API key with the default limits must not hold all of them
 * (`docs/scale.md`, "What one key can hold"). A key may send ten requests a second all day, so each rate is higher.
 */
const HTTP_LIMITS: Readonly<
  Record<
    HttpFunctionName,
    Pick<FunctionLimits, 'concurrency' | 'isScaled'> & { readonly throttle: OperationLimits }
  >
> = {
  'create-cart-checkout': { concurrency: 292, isScaled: true, throttle: { rate: 1, burst: 1 } },
  // More than a creation: the payment side reads its carts here too (`docs/decisions.md`).
  'get-cart': { concurrency: 293, isScaled: true, throttle: { rate: 1, burst: 1 } },
  'sandbox-checkout': { concurrency: 40, isScaled: true, throttle: { rate: 1 / 10, burst: 1 / 20 } },
  'list-events': { concurrency: 20, isScaled: true, throttle: { rate: 1 / 5, burst: 1 / 20 } },
  products: { concurrency: 20, isScaled: true, throttle: { rate: 1 / 5, burst: 1 / 20 } },
  // Each request writes an event. More writers would make a store's payments wait for its log, whatever the stage's rate.
  'expire-cart': {
    concurrency: 5,
    throttle: { rate: 1, burst: 1, max: { requestsPerSecond: 20, burst: 20 } },
  },
  // `docs/scale.md` says how many of them one key can hold.
  'webhook-endpoints': {
    concurrency: 20,
    throttle: { rate: 1 / 50, burst: 1 / 50, max: { requestsPerSecond: 20, burst: 10 } },
  },
};

const EVENT_LIMITS: Readonly<Record<EventFunctionName, FunctionLimits>> = {
  // A payment takes three or four round trips to DynamoDB.
  'record-payment': { memoryMb: 1_024, timeoutSeconds: 6, concurrency: batchesOf('record-payment') },
  // A run that hangs does not stop the next one.
  canary: { memoryMb: 1_024, timeoutSeconds: 6, concurrency: 2 },
  // A batch has at most 100 events. The stream keeps a throttled batch.
  'fan-out-events': { memoryMb: 256, timeoutSeconds: 30, concurrency: 20 },
  // It ends before the next run starts. A late run may overlap the next one.
  'run-timers': { memoryMb: 512, timeoutSeconds: 55, concurrency: 2 },
  // The function mostly waits for receivers. With batches of ten deliveries of 25 KB, its process takes 113 MB.
  'deliver-webhooks': {
    memoryMb: 192,
    // Two attempts of an endpoint that hangs, one after the other.
    timeoutSeconds: 30,
    concurrency: batchesOf('deliver-webhooks'),
    // It writes at most one event for each endpoint that `webhook-endpoints` creates or enables.
    isScaled: true,
    // An endpoint that recovers gets its parked deliveries by one chain of messages. The chain ends with the last of them,
    // because attempts are limited. A message repeats without an attempt only after a conflict with other writers.
    allowsRecursion: true,
  },
};

/**
 * How long a message that a function reads stays hidden: six times the function's time limit, as AWS recommends.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
export const visibilitySecondsOf = (name: EventFunctionName): number => 6 * EVENT_LIMITS[name].timeoutSeconds;

/** The time limit of HTTP functions, in AWS and on the local stage. */
export const FUNCTION_TIMEOUT_MS = 6_000;

/** The limits of this function. A caller waits for functions of HTTP requests, so they have 0.58 of a processor. */
export const limitsOf = (name: FunctionName): FunctionLimits =>
  isHttpFunction(name)
    ? { memoryMb: 1_024, timeoutSeconds: FUNCTION_TIMEOUT_MS / 1_000, ...HTTP_LIMITS[name] }
    : EVENT_LIMITS[name];

/** The limits of each operation of this function. */
export const operationLimitsOf = (name: HttpFunctionName): OperationLimits => HTTP_LIMITS[name].throttle;
