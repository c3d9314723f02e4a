import {
  DELIVERIES_BATCH_SIZE,
  DELIVERIES_CONCURRENCY,
  PAYMENTS_BATCH_SIZE,
  PAYMENTS_CONCURRENCY,
} from './function-limits.ts';

/** How fast a stage works off a queue. */
interface Throughput {
  /** The executions of the function that the queue may have. */
  readonly executions: number;
  readonly messagesPerBatch: number;
  /** Assumed: a database without trouble, and receivers that take 200 ms. */
  readonly secondsPerBatch: number;
  /** Messages of one store, or to one endpoint, wait for each other. */
  readonly one: { readonly name: 'store' | 'endpoint'; readonly messagesPerSecond: number };
}

/** A receiver gets two requests at once, of 200 ms each. */
const ENDPOINT = { name: 'endpoint', messagesPerSecond: 10 } as const;

const deliveriesBy = (executions: number): Throughput => ({
  executions,
  messagesPerBatch: DELIVERIES_BATCH_SIZE,
  secondsPerBatch: 0.2,
  one: ENDPOINT,
});

const { live, test } = DELIVERIES_CONCURRENCY;

/** The queues with a function, by the output of the stack with their address, with the default concurrency. */
export const QUEUE_THROUGHPUTS = {
  PaymentsQueueUrl: {
    executions: PAYMENTS_CONCURRENCY,
    messagesPerBatch: PAYMENTS_BATCH_SIZE,
    secondsPerBatch: 0.04,
    // A transaction of the store's log takes all of a batch.
    one: { name: 'store', messagesPerSecond: 200 },
  },
  DeliveryQueueUrl: deliveriesBy(live.quick),
  SlowDeliveryQueueUrl: deliveriesBy(live.slow),
  TestDeliveryQueueUrl: deliveriesBy(test.quick),
  SlowTestDeliveryQueueUrl: deliveriesBy(test.slow),
} as const satisfies Readonly<Record<string, Throughput>>;

export const messagesPerSecond = ({ executions, messagesPerBatch, secondsPerBatch }: Throughput): number =>
  Math.round((executions * messagesPerBatch) / secondsPerBatch);

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration in its largest unit, rounded up to one decimal. */
const durationText = (seconds: number): string => {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = unit === 'second' ? Math.ceil(seconds) : Math.ceil((10 * seconds) / length) / 10;
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
};

/** How long a stage takes for messages of many stores or endpoints, and of a single one. */
export const backlogTimes = (drain: Throughput, messages: number) => ({
  ofMany: durationText(messages / messagesPerSecond(drain)),
  ofOne: durationText(messages / drain.one.messagesPerSecond),
});

const rateOf = (drain: Throughput): string => messagesPerSecond(drain).toLocaleString('en');

/** How fast the stage works off what a command sends to its queues. */
export const BACKLOG_NOTE = `\
The stage then handles up to ${rateOf(QUEUE_THROUGHPUTS.PaymentsQueueUrl)} payments a second, of one store ${QUEUE_THROUGHPUTS.PaymentsQueueUrl.one.messagesPerSecond}, and up to ${rateOf(QUEUE_THROUGHPUTS.DeliveryQueueUrl)} live deliveries a second, to one
endpoint ${ENDPOINT.messagesPerSecond}: docs/operate.md, "How long a backlog takes".`;
