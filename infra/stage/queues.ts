import type { EventFunctionName } from '../../functions/event-functions.ts';
import { capitalised } from '../../lib/core/letter-case.ts';
import { PAYMENT_RECEIVES_MAX } from '../../lib/payments/payment-retries.ts';
import type { Setting } from '../../lib/settings/settings.ts';

/** How a function reads a queue. */
export interface Reader {
  readonly functionName: EventFunctionName;
  /** The most messages of an invocation. */
  readonly batchSize: number;
  /**
   * The most batches at the same time. Other messages wait in SQS. The concurrency of the function is the sum of its queues, so
   * Lambda throttles no invocation. A throttled invocation would count as a receive.
   */
  readonly concurrency: number;
  /** Assumed: a database without trouble, and receivers that take 200 ms. */
  readonly secondsPerBatch: number;
  /** Messages of one store, or to one endpoint, wait for each other. */
  readonly one: { readonly name: 'store' | 'endpoint'; readonly messagesPerSecond: number };
  /** After so many receives, a message that the function returns becomes a dead letter. */
  readonly receivesMax: number;
  /** The queue of its dead letters. */
  readonly deadLetters: string;
}

/** A queue of the stack and of the local stage. */
export interface QueueDefinition {
  /** The name that operators see. */
  readonly label: string;
  /** Whether functions may send to it: those with its address in their settings. */
  readonly takesFromFunctions?: true;
  /** Absent for dead letters: only operators' commands read them. */
  readonly reader?: Reader;
}

const deliveries = <const Label extends string>(label: Label, concurrency: number) =>
  ({
    label,
    takesFromFunctions: true,
    reader: {
      functionName: 'deliver-webhooks',
      batchSize: 10,
      concurrency,
      secondsPerBatch: 0.2,
      // A receiver gets two requests at once, of 200 ms each.
      one: { name: 'endpoint', messagesPerSecond: 10 },
      // The most that SQS permits: a delivery also returns after a conflict with other writers.
      receivesMax: 1_000,
      deadLetters: 'deliveryDeadLetter',
    },
  }) as const;

/** The name of a queue whose address is a setting of functions. */
type QueueInSettings = Setting extends infer Each
  ? Each extends `${infer Name}QueueUrl`
    ? Name
    : never
  : never;

/**
 * The queues of a stage.
 *
 * With receivers that take 200 ms, live mode delivers about 250 events a second in batches of one, and up to 2,500 in full
 * batches. A store has at most ten executions of a slow queue: one for each endpoint. Test mode delays no live webhook.
 */
export const QUEUES = {
  payments: {
    label: 'payments',
    reader: {
      functionName: 'record-payment',
      // Those of one store share a transaction.
      batchSize: 10,
      // A thousand payments a second. More batches would make payments of one store conflict.
      concurrency: 5,
      secondsPerBatch: 0.04,
      // A store's log takes one transaction at a time. A transaction takes a whole batch.
      one: { name: 'store', messagesPerSecond: 200 },
      receivesMax: PAYMENT_RECEIVES_MAX,
      deadLetters: 'paymentDeadLetter',
    },
  },
  paymentDeadLetter: { label: 'payments' },
  /** The keys of events that could not be sent. */
  eventDeadLetter: { label: 'events', takesFromFunctions: true },
  delivery: deliveries('live deliveries', 50),
  testDelivery: deliveries('test deliveries', 40),
  slowDelivery: deliveries('live slow deliveries', 40),
  slowTestDelivery: deliveries('test slow deliveries', 20),
  deliveryDeadLetter: { label: 'deliveries' },
} as const satisfies Readonly<Record<QueueInSettings, QueueDefinition>> &
  Readonly<Record<string, QueueDefinition>>;

export type QueueName = keyof typeof QUEUES;

/** A queue that a function reads. */
export type ReadQueueName = {
  [Name in QueueName]: (typeof QUEUES)[Name] extends { reader: object } ? Name : never;
}[QueueName];

export type DeadLetterQueueName = Exclude<QueueName, ReadQueueName>;

export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

const isRead = (name: QueueName): name is ReadQueueName => 'reader' in QUEUES[name];

export const READ_QUEUES = QUEUE_NAMES.filter(isRead);

export const DEAD_LETTER_QUEUES = QUEUE_NAMES.filter((name) => !isRead(name));

/** Makes a value for each queue of a list. */
export const byQueue = <Name extends QueueName, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Readonly<Record<Name, Value>> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;

/** The most batches of a function's queues at the same time. 0 if it reads no queue. */
export const batchesOf = (
  functionName: string,
  concurrencyOf = (name: ReadQueueName): number => QUEUES[name].reader.concurrency,
): number =>
  READ_QUEUES.filter((name) => QUEUES[name].reader.functionName === functionName)
    .map(concurrencyOf)
    .reduce((sum, concurrency) => sum + concurrency, 0);

/** The queues' addresses, by setting: `paymentsQueueUrl` for `payments`. */
export const queueSettings = (urlOf: (name: QueueName) => string) =>
  Object.fromEntries(QUEUE_NAMES.map((name) => [`${name}QueueUrl`, urlOf(name)])) as Readonly<
    Record<`${QueueName}QueueUrl`, string>
  >;

/** The name of the stack's output for a queue's address: `PaymentsQueueUrl` for `payments`. */
export const queueOutputOf = <Name extends QueueName>(name: Name) => `${capitalised(name)}QueueUrl` as const;

/** The queues' addresses, by output of the stack. */
export const queueOutputs = (urlOf: (name: QueueName) => string) =>
  Object.fromEntries(QUEUE_NAMES.map((name) => [queueOutputOf(name), urlOf(name)])) as Readonly<
    Record<`${Capitalize<QueueName>}QueueUrl`, string>
  >;
