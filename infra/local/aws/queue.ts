import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { ThrottledError } from '../../../lib/aws/errors.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { queryPages } from '../../../lib/database/paginate.ts';
import { MessagePool, type Received } from './message-pool.ts';

/** The most messages of a call that receives, as in SQS. */
const RECEIVED_MAX = 10;

export interface QueueOptions {
  /** The name of the queue, and its partition in the table of the local stage alone. */
  readonly name: string;
  readonly documents: DocumentClient;
  readonly localStateTable: string;
  readonly now: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Invokes the function of the queue. */
  readonly invoke: (event: SQSEvent) => Promise<SQSBatchResponse>;
  /** The most messages of an invocation. */
  readonly batchSize: number;
  /** The most invocations at the same time. 0: only calls receive the messages. */
  readonly concurrency: number;
  /** How long a message that failed stays invisible, unless the function changes that. */
  readonly visibilitySeconds: number;
  /** After so many receives, a message that the function returns becomes a dead letter. */
  readonly receivesMax: number;
  readonly deadLetters?: Queue;
  readonly reportFailure: (error: unknown) => void;
}

/** A message to send. */
interface SentMessage {
  readonly body: string;
  readonly delaySeconds: number;
  /** The message group. It has no effect here: SQS does not promise that a group gets its turn. */
  readonly groupId?: string | undefined;
}

/** A stored message. */
interface Message {
  readonly id: string;
  readonly body: string;
  readonly groupId?: string | undefined;
  readonly sentAtMs: number;
  /** When it is visible for the first time. */
  readonly visibleAtMs: number;
}

type ReceivedMessage = Received<Message>;

/** Invokes the function. Returns the messages to retry: all, if its response names an unknown one. */
const failedOf = async (
  received: readonly ReceivedMessage[],
  { name, invoke }: QueueOptions,
): Promise<readonly ReceivedMessage[]> => {
  // The fields that the functions read.
  const records = received.map(({ message, receiptHandle, receiveCount, firstReceivedAtMs }) => ({
    messageId: message.id,
    receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      ApproximateFirstReceiveTimestamp: String(firstReceivedAtMs),
      SentTimestamp: String(message.sentAtMs),
    },
    eventSourceARN: `arn:aws:sqs:local:000000000000:${name}`,
  }));
  const { batchItemFailures } = await invoke({ Records: records as SQSRecord[] });
  const ids = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const failed = received.filter(({ message }) => ids.has(message.id));
  return failed.length === ids.size ? failed : received;
};

/**
 * A standard queue of SQS with its event source mapping. It invokes a function with each message at least once, in no order. A
 * batch has any visible messages. Messages are in memory, and also in a table until the function has handled them: they survive
 * `kill -9`.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #pool: MessagePool<Message>;
  readonly #runs = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#pool = new MessagePool(options);
  }

  /** Takes the stored messages, those of a killed process too. Call it before the first send. */
  async load(): Promise<void> {
    const { name, documents, localStateTable } = this.#options;
    const query = {
      TableName: localStateTable,
      KeyConditionExpression: '#part = :part',
      ExpressionAttributeNames: { '#part': 'part' },
      ExpressionAttributeValues: { ':part': name },
      ConsistentRead: true,
    };
    for await (const { Items = [] } of queryPages(documents, query)) {
      for (const message of Items as Message[]) this.#pool.add(message, message.visibleAtMs);
    }
  }

  /** Stores up to ten messages. Returns their ids. */
  async send(messages: readonly SentMessage[]): Promise<string[]> {
    const { name: part, now } = this.#options;
    const sent = messages.map(({ delaySeconds, ...message }) => ({
      ...message,
      // In the order of their sending.
      id: `${isoTime(now())}#${randomUUID()}`,
      sentAtMs: now(),
      visibleAtMs: now() + 1_000 * delaySeconds,
    }));
    await this.#write(sent.map((message) => ({ PutRequest: { Item: { part, ...message } } })));
    for (const message of sent) this.#pool.add(message, message.visibleAtMs);
    void this.poll();
    return sent.map(({ id }) => id);
  }

  /** Takes the messages of another queue, which keep their ids and the times of their sending. */
  async take(messages: readonly Message[]): Promise<void> {
    const { name: part } = this.#options;
    await this.#write(messages.map((message) => ({ PutRequest: { Item: { ...message, part } } })));
    for (const message of messages) this.#pool.add(message, message.visibleAtMs);
  }

  /**
   * Receives up to ten messages. Like SQS, a short poll may miss some.
   *
   * @param waitSeconds 0 for a short poll. A long poll of an empty queue does not wait here
   */
  receive(countMax: number, visibilitySeconds: number | undefined, waitSeconds: number) {
    const { random } = this.#options;
    const count = Math.min(countMax, RECEIVED_MAX);
    return this.#pool.receive(
      waitSeconds > 0 ? count : Math.floor(random() * (count + 1)),
      visibilitySeconds,
    );
  }

  /** Deletes messages in flight. A handle whose time is over has no effect. */
  async delete(receiptHandles: readonly string[]): Promise<void> {
    const messages = receiptHandles.flatMap((handle) => this.#pool.find(handle) ?? []);
    await this.#forget(messages);
    for (const handle of receiptHandles) this.#pool.delete(handle);
  }

  counts(): ReturnType<MessagePool<Message>['counts']> {
    return this.#pool.counts();
  }

  /** Sets when a message in flight is visible again if it fails. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    this.#pool.changeVisibility(receiptHandle, seconds);
  }

  /** Invokes the function while there are visible messages. Resolves when the invocations that now run have ended. */
  poll(): Promise<readonly unknown[]> {
    while (!this.#isClosed && this.#runs.size < this.#options.concurrency) {
      const received = this.#pool.receive(this.#options.batchSize);
      if (received.length === 0) break;
      const run = this.#handle(received).finally(() => {
        this.#runs.delete(run);
        void this.poll();
      });
      this.#runs.add(run);
    }
    return Promise.all(this.#runs);
  }

  /** Starts no more invocations. Waits for the running ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.poll();
  }

  /** Invokes the function, and deletes the messages that it has handled. The others return. */
  async #handle(received: readonly ReceivedMessage[]): Promise<void> {
    const { receivesMax, deadLetters, reportFailure } = this.#options;
    const failed = await this.#invoke(received);
    const isLost = ({ receiveCount }: ReceivedMessage): boolean => receiveCount >= receivesMax;
    const lost = failed.filter(isLost);
    if (lost.length > 0)
      reportFailure(
        new Error(`${lost.length} messages failed ${receivesMax} times, and are dead letters now`),
      );
    const kept = new Set(failed.filter((each) => !isLost(each)));
    const done = received.filter((each) => !kept.has(each));
    try {
      // First: a message may be in both queues, but never in none.
      await deadLetters?.take(lost.map(({ message }) => message));
      await this.#forget(done.map(({ message }) => message));
      for (const { receiptHandle } of done) this.#pool.delete(receiptHandle);
    } catch (error) {
      reportFailure(error);
    }
  }

  /** Returns the messages that the function could not handle. */
  async #invoke(given: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> {
    try {
      return await failedOf(given, this.#options);
    } catch (error) {
      this.#options.reportFailure(error);
      return given;
    }
  }

  #forget(messages: readonly Message[]): Promise<void> {
    const { name: part } = this.#options;
    return this.#write(messages.map(({ id }) => ({ DeleteRequest: { Key: { part, id } } })));
  }

  async #write(requests: object[]): Promise<void> {
    const { documents, localStateTable } = this.#options;
    if (requests.length === 0) return;
    const command = new BatchWriteCommand({ RequestItems: { [localStateTable]: requests } });
    const { UnprocessedItems = {} } = await documents.send(command);
    if (Object.keys(UnprocessedItems).length > 0) throw new ThrottledError();
  }
}

/** The part of a queue that the calls of its clients need. */
export type CalledQueue = Pick<Queue, 'send' | 'receive' | 'delete' | 'changeVisibility' | 'counts'>;
