import { visibilitySecondsOf } from '../../stage/function-limits.ts';
import {
  byQueue,
  DEAD_LETTER_QUEUES,
  type DeadLetterQueueName,
  QUEUES,
  READ_QUEUES,
  type ReadQueueName,
} from '../../stage/queues.ts';
import { type EventHandlers, invoker } from './invoke-functions.ts';
import { Queue, type QueueOptions } from './queue.ts';

interface QueuesOptions extends Pick<
  QueueOptions,
  'documents' | 'localStateTable' | 'now' | 'reportFailure'
> {
  readonly handlers: Promise<EventHandlers>;
}

/** Creates the queues, by name. */
export const createQueues = ({ handlers, ...options }: QueuesOptions) => {
  const common = { ...options, random: Math.random };
  /** A queue that only operators read. */
  const deadLettersOf = (name: DeadLetterQueueName): Queue =>
    new Queue({
      ...common,
      name,
      invoke: async () => ({ batchItemFailures: [] }),
      batchSize: 1,
      concurrency: 0,
      // The default of SQS.
      visibilitySeconds: 30,
      receivesMax: Infinity,
    });
  const letters = byQueue(DEAD_LETTER_QUEUES, deadLettersOf);
  const queueOf = (name: ReadQueueName): Queue => {
    const { functionName, batchSize, concurrency, receivesMax, deadLetters } = QUEUES[name].reader;
    return new Queue({
      ...common,
      name,
      batchSize,
      concurrency,
      receivesMax,
      invoke: invoker(handlers, functionName),
      visibilitySeconds: visibilitySecondsOf(functionName),
      deadLetters: letters[deadLetters],
    });
  };
  return { ...letters, ...byQueue(READ_QUEUES, queueOf) };
};
