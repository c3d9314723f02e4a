import type { Lane } from './lanes.ts';
import type { QueueMessage } from './queue-message.ts';

interface QueueSendOptions {
  /** Default: `slow`, which takes the messages of every endpoint */
  readonly lane?: Lane;
  /** 0 to 900, as in SQS. Default: 0 */
  readonly delaySeconds?: number;
}

/** Takes messages. A message is stored when the promise resolves. */
export interface DeliveryQueue {
  /** Stores messages, which become visible after a delay. */
  send(messages: readonly QueueMessage[], options?: QueueSendOptions): Promise<void>;
}
