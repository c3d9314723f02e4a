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

/** An entry of a call, with the fields that its operation has. */
interface Entry extends BusEntry {
  readonly Id?: string;
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly MessageGroupId?: string;
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
}

interface Input extends Entry {
  /** The name of the queue is its last part. */
  readonly QueueUrl?: string;
  readonly Entries?: readonly Entry[];
}

/**
 * Makes a call of SQS or EventBridge.
 *
 * @param target such as `AmazonSQS.SendMessage`
 * @param round the round of the invocation that makes the call (`recursion.ts`). 0: no queue invoked the caller
 * @throws AwsActionError if the local stage has no such call or queue
 */
export type AwsActions = (target: string, input: Input, round: number) => Promise<object>;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const GROUP_ID = /^[!-~]{1,128}$/;

/** Nobody reads the records that the fan-out sets aside: its log line names them, and their log keeps them. */
const SET_ASIDE: CalledQueue = {
  send: async (messages) => messages.map(() => randomUUID()),
  changeVisibility: () => undefined,
};

/** Creates the calls that the functions and the command line make to queues, by name, and to a bus. */
export const createAwsActions = (
  queues: Readonly<Record<string, CalledQueue>>,
  bus: EventBus,
): AwsActions => {
  const byName: typeof queues = { ...queues, 'set-aside': SET_ASIDE };
  const queueOf = ({ QueueUrl = '' }: Input): CalledQueue => {
    const queue = byName[QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)];
    if (queue) return queue;
    throw new AwsActionError('QueueDoesNotExist', 'The local stage has no such queue');
  };
  const send = async (queue: CalledQueue, entries: readonly Entry[], round: number) => {
    const messages = entries.map(
      ({ MessageBody: body = '', DelaySeconds: delaySeconds = 0, MessageGroupId }) => ({
        body,
        delaySeconds,
        groupId: MessageGroupId,
      }),
    );
    if (messages.some(({ groupId }) => groupId !== undefined && !GROUP_ID.test(groupId)))
      throw new AwsActionError(
        'InvalidParameterValue',
        'MessageGroupId must be 1 to 128 characters of ASCII',
      );
    const ids = await queue.send(messages, round);
    return messages.map(({ body }, index) => ({
      Id: entries[index]?.Id,
      MessageId: ids[index],
      // The SDK compares it with its own.
      MD5OfMessageBody: createHash('md5').update(body).digest('hex'),
    }));
  };
  return async (target, input, round) => {
    const { Entries = [input] } = input;
    if (target === 'AmazonSQS.SendMessage') return (await send(queueOf(input), Entries, round))[0] ?? {};
    if (target === 'AmazonSQS.SendMessageBatch')
      return { Successful: await send(queueOf(input), Entries, round), Failed: [] };
    if (target === 'AmazonSQS.ChangeMessageVisibilityBatch') {
      for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of Entries)
        queueOf(input).changeVisibility(ReceiptHandle, VisibilityTimeout);
      return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
    }
    if (target === 'AWSEvents.PutEvents') {
      const results = await bus(Entries);
      return { Entries: results, FailedEntryCount: results.filter((each) => 'ErrorCode' in each).length };
    }
    throw new AwsActionError('UnknownOperationException', 'The local stage does not serve this call');
  };
};
