import { type FunctionName, FUNCTIONS } from '../../functions/function-needs.ts';
import { limitsOf } from './function-limits.ts';
import { batchesOf, byQueue, QUEUES, READ_QUEUES, type ReadQueueName } from './queues.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const EVENT_SOURCE_CONCURRENCY_MAX = 1_000;

const NAMES = Object.keys(FUNCTIONS) as FunctionName[];

const sumOf = (names: readonly FunctionName[]): number =>
  names.reduce((sum, name) => sum + limitsOf(name).concurrency, 0);

/** The executions that all functions reserve together. With fewer than `min`, some would have less than two. */
export const RESERVED_CONCURRENCY = { byDefault: sumOf(NAMES), min: 200, max: 100_000 } as const;

const isScaled = (name: FunctionName): boolean => limitsOf(name).isScaled === true;

const SCALED = sumOf(NAMES.filter(isScaled));

const scaled = (executions: number, total: number): number =>
  Math.floor((executions * (SCALED + total - RESERVED_CONCURRENCY.byDefault)) / SCALED);

/**
 * The most batches of each queue at the same time.
 *
 * @param total as for {@link splitConcurrency}, or 0 if the stage reserves none
 */
export const queueConcurrency = (total: number): Readonly<Record<ReadQueueName, number>> =>
  byQueue(READ_QUEUES, (queue) => {
    const { functionName, concurrency } = QUEUES[queue].reader;
    if (total === 0 || !isScaled(functionName)) return concurrency;
    return Math.min(EVENT_SOURCE_CONCURRENCY_MAX, scaled(concurrency, total));
  });

/**
 * Splits the executions between the functions. The API functions and the deliveries share the difference to the default. The
 * others keep their numbers.
 *
 * @param total from `RESERVED_CONCURRENCY.min`. AWS demands that the account keeps 100 more
 *   (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html)
 */
export const splitConcurrency = (total: number): Readonly<Record<FunctionName, number>> => {
  const ofQueues = queueConcurrency(total);
  const split = NAMES.map((name) => {
    const { concurrency } = limitsOf(name);
    const batches = batchesOf(name, (queue) => ofQueues[queue]);
    return [name, batches || (isScaled(name) ? scaled(concurrency, total) : concurrency)];
  });
  return Object.fromEntries(split) as Record<FunctionName, number>;
};
