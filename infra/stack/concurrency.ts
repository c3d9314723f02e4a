import { type EVENT_FUNCTIONS, HTTP_FUNCTIONS, type HttpFunctionName } from '../../functions/operations.ts';

export type FunctionName = HttpFunctionName | keyof typeof EVENT_FUNCTIONS;

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

/**
 * The most batches of deliveries at the same time. With receivers that take 200 ms, they deliver about 200 events a second
 * in batches of one, and up to 2,000 in full batches. Event source and function have the same limit, as for payments.
 */
export const DELIVERIES_CONCURRENCY = 50;

/**
 * The executions that production reserves for each function: no other function can use them, and it can use no more. A
 * flood of requests therefore starves neither payment events nor the other functions. The payment side's reads share
 * `get-cart` with merchants (`docs/decisions.md`).
 *
 * At 1,000 requests a second, an operation needs about 14. 350 suffice while DynamoDB takes 0.35 s for each.
 */
const BY_DEFAULT: Readonly<Record<FunctionName, number>> = {
  'create-cart-checkout': 350,
  // 20 more than a creation: the payment side reads its carts here too.
  'get-cart': 370,
  'sandbox-checkout': 40,
  'list-events': 20,
  // Each request of these two writes an event. More writers would make a store's payments wait for its log.
  'expire-cart': 5,
  'webhook-endpoints': 5,
  'record-payment': PAYMENTS_CONCURRENCY,
  // A run that hangs does not stop the next one.
  canary: 2,
  // The stream keeps a throttled batch.
  'fan-out-events': 20,
  // A late run may overlap the next one.
  'run-due': 2,
  'deliver-webhooks': DELIVERIES_CONCURRENCY,
};

const NAMES = Object.keys(BY_DEFAULT) as FunctionName[];

const sumOf = (names: readonly FunctionName[]): number =>
  names.reduce((sum, name) => sum + BY_DEFAULT[name], 0);

/** The executions that all functions reserve together. With fewer than `min`, an API function would have less than two. */
export const RESERVED_CONCURRENCY = { byDefault: sumOf(NAMES), min: 200, max: 100_000 } as const;

/** Whether the number of a function follows the account's. Event sources, and writers of a store's log, keep theirs. */
const isScaled = (name: FunctionName): boolean =>
  HTTP_FUNCTIONS.some((each) => each.name === name && !each.access.includes('appendEvents'));

const FOR_REQUESTS = sumOf(NAMES.filter(isScaled));

/**
 * Splits the executions between the functions. The API functions share the difference to the default. The others keep
 * their numbers: event sources have the same ones, and writers of a store's log must stay few.
 *
 * @param total from `RESERVED_CONCURRENCY.min`. AWS demands that the account keeps 100 more
 *   (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html)
 */
export const splitConcurrency = (total: number): Readonly<Record<FunctionName, number>> => {
  const scale = (FOR_REQUESTS + total - RESERVED_CONCURRENCY.byDefault) / FOR_REQUESTS;
  const split = NAMES.map((name) => [
    name,
    isScaled(name) ? Math.floor(BY_DEFAULT[name] * scale) : BY_DEFAULT[name],
  ]);
  return Object.fromEntries(split) as Record<FunctionName, number>;
};
