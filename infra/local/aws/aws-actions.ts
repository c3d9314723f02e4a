import { createHash } from 'node:crypto';
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
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
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
 * @throws AwsActionError if the local stage has no such call or queue
 */
export type AwsActions = (target: string, input: Input) => Promise<object>;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const GROUP_ID = /^[!-~]{1,128}$/;

/** The SDK compares it with its own. */
const md5 = (body: string): string => createHash('md5').update(body).digest('hex');

/** The id of a message as SQS has it: a UUID. Stored ids begin with a time, for their order. */
const messageIdOf = (id = ''): string => id.slice(id.indexOf('#') + 1);

/** Receives messages of a queue, with the attributes that a call may ask for. */
const receive = (
  queue: CalledQueue,
  { MaxNumberOfMessages = 1, VisibilityTimeout, WaitTimeSeconds = 0 }: Input,
) =>
  queue
    .receive(MaxNumberOfMessages, VisibilityTimeout, WaitTimeSeconds)
    .map(({ message: { id, body, sentAtMs }, receiptHandle, receiveCount }) => ({
      MessageId: messageIdOf(id),
      ReceiptHandle: receiptHandle,
      Body: body,
      MD5OfBody: md5(body),
      Attributes: { SentTimestamp: String(sentAtMs), ApproximateReceiveCount: String(receiveCount) },
    }));

const attributesOf = (queue: CalledQueue) => {
  const { visible, inFlight } = queue.counts();
  return {
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
  };
};

/** Sends messages. Returns what a batch returns of each. */
const send = async (queue: CalledQueue, entries: readonly Entry[]) => {
  const messages = entries.map(
    ({ MessageBody: body = '', DelaySeconds: delaySeconds = 0, MessageGroupId }) => ({
      body,
      delaySeconds,
      groupId: MessageGroupId,
    }),
  );
  if (messages.some(({ groupId }) => groupId !== undefined && !GROUP_ID.test(groupId)))
    throw new AwsActionError('InvalidParameterValue', 'MessageGroupId must be 1 to 128 characters of ASCII');
  const ids = await queue.send(messages);
  return messages.map(({ body }, index) => ({
    Id: entries[index]?.Id,
    MessageId: messageIdOf(ids[index]),
    MD5OfMessageBody: md5(body),
  }));
};

/** Creates the calls that the functions and the command line make to queues, by name, and to a bus. */
export const createAwsActions = (
  queues: Readonly<Record<string, CalledQueue>>,
  bus: EventBus,
): AwsActions => {
  const queueOf = ({ QueueUrl = '' }: Input): CalledQueue => {
    const queue = queues[QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)];
    if (queue) return queue;
    throw new AwsActionError('QueueDoesNotExist', 'The local stage has no such queue');
  };
  return async (target, input) => {
    const { Entries = [input] } = input;
    if (target === 'AmazonSQS.SendMessage') return (await send(queueOf(input), Entries))[0] ?? {};
    if (target === 'AmazonSQS.SendMessageBatch')
      return { Successful: await send(queueOf(input), Entries), Failed: [] };
    if (target === 'AmazonSQS.ChangeMessageVisibilityBatch') {
      for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of Entries)
        queueOf(input).changeVisibility(ReceiptHandle, VisibilityTimeout);
      return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
    }
    if (target === 'AmazonSQS.ReceiveMessage') return { Messages: receive(queueOf(input), input) };
    if (target === 'AmazonSQS.DeleteMessageBatch') {
      await queueOf(input).delete(Entries.map(({ ReceiptHandle = '' }) => ReceiptHandle));
      return { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] };
    }
    if (target === 'AmazonSQS.GetQueueAttributes') return { Attributes: attributesOf(queueOf(input)) };
    if (target === 'AWSEvents.PutEvents') {
      const results = await bus(Entries);
      return { Entries: results, FailedEntryCount: results.filter((each) => 'ErrorCode' in each).length };
    }
    throw new AwsActionError('UnknownOperationException', 'The local stage does not serve this call');
  };
};
