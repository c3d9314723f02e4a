import type { Access } from '../../functions/access.ts';
import { type FunctionName, FUNCTIONS, isHttpFunction } from '../../functions/function-needs.ts';
import { DELIVERIES_CONCURRENCY, type DeliveriesConcurrency, limitsOf, totalOf } from './function-limits.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const EVENT_SOURCE_CONCURRENCY_MAX = 1_000;

const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

const sumOf = (names: readonly FunctionName[]): number =>
  names.reduce((sum, name) => sum + limitsOf(name).concurrency, 0);

/** The executions that all functions reserve together. With fewer than `min`, some would have less than two. */
export const RESERVED_CONCURRENCY = { byDefault: sumOf(NAMES), min: 200, max: 100_000 } as const;

/** Excludes the sandbox: its test events never delay live payments. */
const LOG_WRITERS: ReadonlySet<Access> = new Set(['appendAbandonments', 'appendEndpointChanges']);

/**
 * Whether a function gets more or fewer executions with the total. Writers of a store's log must stay few. `deliver-webhooks` is
 * scaled nevertheless: it writes at most one event for each endpoint that `webhook-endpoints` creates or enables.
 */
const isScaled = (name: FunctionName): boolean =>
  name === 'deliver-webhooks' ||
  (isHttpFunction(name) && !FUNCTIONS[name].access.some((own) => LOG_WRITERS.has(own)));

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
    isScaled(name) ? scaled(limitsOf(name).concurrency, total) : limitsOf(name).concurrency,
  ]);
  return {
    ...(Object.fromEntries(split) as Record<FunctionName, number>),
    'deliver-webhooks': totalOf(splitDeliveries(total)),
  };
};
