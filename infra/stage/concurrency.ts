import {
  type Access,
  type EVENT_FUNCTIONS,
  HTTP_FUNCTIONS,
  type HttpFunctionName,
} from '../../functions/operations.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import type { Lane } from '../../lib/endpoints/breaker.ts';

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

/** The most deliveries of one invocation. */
export const DELIVERIES_BATCH_SIZE = 10;

/** The most batches of each delivery queue at the same time. */
type DeliveriesConcurrency = Readonly<Record<Mode, Readonly<Record<Lane, number>>>>;

/**
 * With receivers that take 200 ms, live mode delivers about 250 events a second in batches of one, and up to 2,500 in full
 * batches. A store has at most ten executions of `slow`: one for each endpoint. Test mode delays no live webhook. The function has
 * the sum, so its event sources meet no throttle.
 */
export const DELIVERIES_CONCURRENCY = {
  live: { quick: 50, slow: 40 },
  test: { quick: 40, slow: 20 },
} as const satisfies DeliveriesConcurrency;

const totalOf = ({ live, test }: DeliveriesConcurrency): number =>
  live.quick + live.slow + test.quick + test.slow;

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const EVENT_SOURCE_CONCURRENCY_MAX = 1_000;

/**
 * The executions that production reserves for each function: no other function can use them, and it can use no more. A
 * flood of requests therefore starves neither payment events nor the other functions. The payment side's reads share
 * `get-cart` with merchants (`docs/decisions.md`).
 *
 * At 1,000 requests a second, an operation needs about 14. 290 suffice while DynamoDB takes 0.29 s for each.
 */
const BY_DEFAULT: Readonly<Record<FunctionName, number>> = {
  'create-cart-checkout': 292,
  // More than a creation: the payment side reads its carts here too.
  'get-cart': 313,
  'sandbox-checkout': 40,
  'list-events': 20,
  // Each request writes an event. More writers would make a store's payments wait for its log.
  'expire-cart': 5,
  // One key can hold 19 of them (`docs/scale.md`).
  'webhook-endpoints': 20,
  'record-payment': PAYMENTS_CONCURRENCY,
  // A run that hangs does not stop the next one.
  canary: 2,
  // The stream keeps a throttled batch.
  'fan-out-events': 20,
  // A late run may overlap the next one.
  'run-due': 2,
  'deliver-webhooks': totalOf(DELIVERIES_CONCURRENCY),
};

const NAMES = Object.keys(BY_DEFAULT) as FunctionName[];

const sumOf = (names: readonly FunctionName[]): number =>
  names.reduce((sum, name) => sum + BY_DEFAULT[name], 0);

/** The executions that all functions reserve together. With fewer than `min`, some would have less than two. */
export const RESERVED_CONCURRENCY = { byDefault: sumOf(NAMES), min: 200, max: 100_000 } as const;

/** The sandbox is none of them: test mode delays no payment. */
const LOG_WRITERS: ReadonlySet<Access> = new Set(['appendAbandonments', 'appendEndpointChanges']);

/** Whether a function gets more or fewer executions with the total. Writers of a store's log must stay few. */
const isScaled = (name: FunctionName): boolean =>
  name === 'deliver-webhooks' ||
  HTTP_FUNCTIONS.some((each) => each.name === name && !each.access.some((own) => LOG_WRITERS.has(own)));

const SCALED = sumOf(NAMES.filter(isScaled));

const scaled = (executions: number, total: number): number =>
  Math.floor((executions * (SCALED + total - RESERVED_CONCURRENCY.byDefault)) / SCALED);

/**
 * Splits the executions of the deliveries between the queues.
 *
 * @param total as for {@link splitConcurrency}, or 0 if the stage reserves none
 */
export const splitDeliveries = (total: number): DeliveriesConcurrency => {
  if (total === 0) return DELIVERIES_CONCURRENCY;
  const { live, test } = DELIVERIES_CONCURRENCY;
  const share = (executions: number): number =>
    Math.min(EVENT_SOURCE_CONCURRENCY_MAX, scaled(executions, total));
  return {
    live: { quick: share(live.quick), slow: share(live.slow) },
    test: { quick: share(test.quick), slow: share(test.slow) },
  };
};

/**
 * Splits the executions between the functions. The API functions and the deliveries share the difference to the default. The
 * others keep their numbers.
 *
 * @param total from `RESERVED_CONCURRENCY.min`. AWS demands that the account keeps 100 more
 *   (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html)
 */
export const splitConcurrency = (total: number): Readonly<Record<FunctionName, number>> => {
  const split = NAMES.map((name) => [
    name,
    isScaled(name) ? scaled(BY_DEFAULT[name], total) : BY_DEFAULT[name],
  ]);
  return {
    ...(Object.fromEntries(split) as Record<FunctionName, number>),
    'deliver-webhooks': totalOf(splitDeliveries(total)),
  };
};
