import { createHash, randomUUID } from 'node:crypto';
import type { BusEntry, EventBus } from './event-bus.ts';
import type { CalledQueue } from './queue.ts';

/** An error of a service, as AWS JSON reports it. */
export class AwsActionError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** The calls of the functions and of the command line to SQS and EventBridge, by `X-Amz-Target`. */
export type AwsActions = Readonly<Record<string, (input: never) => Promise<object>>>;

interface ToQueue {
  /** The name of the queue is its last part. */
  readonly QueueUrl: string;
}

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
}

/** Nobody reads the records that the fan-out sets aside: its log line names them, and their log keeps them. */
const SET_ASIDE: CalledQueue = {
  send: async (messages) => messages.map(() => randomUUID()),
  changeVisibility: () => undefined,
};

/** The SDK compares it with its own. */
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Creates the calls on queues, by name, and on a bus. */
export const createAwsActions = (
  queues: Readonly<Record<string, CalledQueue>>,
  bus: EventBus,
): AwsActions => {
  const byName: typeof queues = { ...queues, 'set-aside': SET_ASIDE };
  const queueOf = ({ QueueUrl }: ToQueue): CalledQueue => {
    const queue = byName[QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)];
    if (queue) return queue;
    throw new AwsActionError('QueueDoesNotExist', 'The local stage has no such queue');
  };
  const send = async (call: ToQueue, entries: readonly Omit<Entry, 'Id'>[]) => {
    const messages = entries.map(({ MessageBody, DelaySeconds = 0 }) => ({
      body: MessageBody,
      delaySeconds: DelaySeconds,
    }));
    const ids = await queueOf(call).send(messages);
    return messages.map(({ body }, index) => ({ MessageId: ids[index], MD5OfMessageBody: md5(body) }));
  };
  return {
    'AmazonSQS.SendMessage': async (call: ToQueue & Omit<Entry, 'Id'>) => (await send(call, [call]))[0] ?? {},
    'AmazonSQS.SendMessageBatch': async (call: ToQueue & { readonly Entries: readonly Entry[] }) => {
      const sent = await send(call, call.Entries);
      return {
        Successful: sent.map((each, index) => ({ Id: call.Entries[index]?.Id, ...each })),
        Failed: [],
      };
    },
    'AmazonSQS.ChangeMessageVisibilityBatch': async (
      call: ToQueue & {
        readonly Entries: readonly { Id: string; ReceiptHandle: string; VisibilityTimeout: number }[];
      },
    ) => {
      const queue = queueOf(call);
      for (const { ReceiptHandle, VisibilityTimeout } of call.Entries)
        queue.changeVisibility(ReceiptHandle, VisibilityTimeout);
      return { Successful: call.Entries.map(({ Id }) => ({ Id })), Failed: [] };
    },
    'AWSEvents.PutEvents': async ({ Entries }: { readonly Entries: readonly BusEntry[] }) => {
      const results = await bus(Entries);
      return {
        Entries: results,
        FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
      };
    },
  };
};
