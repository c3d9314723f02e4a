import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';
import { queryPages } from '../../../lib/core/dynamodb-pages.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import { ThrottledError } from '../../../lib/core/errors.ts';

/** The most messages of an invocation and of a call, as on AWS. */
const BATCH_SIZE = 10;

export interface QueueOptions {
  /** The partition of the queue in the table of the local stage alone. */
  readonly name: string;
  readonly documents: Documents;
  readonly sourcesTable: string;
  readonly now: Clock;
  /** Invokes the function of the queue. */
  readonly invoke: (event: SQSEvent) => Promise<SQSBatchResponse>;
  /** The most invocations at the same time. */
  readonly concurrency: number;
  /** The group of a message with this body. A batch has messages of one group. */
  readonly groupOf: (body: string) => string;
  /** The most invocations of a group. */
  readonly concurrencyOfGroup: number;
  /** How long a message that failed stays invisible, unless the function changes that. */
  readonly visibilitySeconds: number;
  /** A message that a function returns so often is dropped. On AWS, it becomes a dead letter. */
  readonly receivesMax: number;
  readonly reportFailure: (error: unknown) => void;
}

interface Message {
  readonly id: string;
  readonly body: string;
  readonly visibleAtMs: number;
  /** How often the function got it. A restart of the stage begins anew. */
  readonly receiveCount: number;
}

/** Messages that wait, in the order of their arrival, and the running invocations with others of the group. */
interface Group {
  waiting: Message[];
  invocations: number;
}

const recordOf = ({ id, body, receiveCount }: Message): SQSRecord => ({
  messageId: id,
  receiptHandle: id,
  body,
  attributes: {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: '0',
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:local:000000000000:local',
  awsRegion: 'local',
});

/**
 * A standard queue of SQS with its event source mapping: it invokes a function with each message at least once. The messages
 * are in memory, and in a table until the function has handled them, so that they survive `kill -9`.
 */
export class Queue {
  readonly #options: QueueOptions;
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group>();
  /** When each message in flight is visible again if it fails. */
  readonly #inFlight = new Map<string, number>();
  readonly #runs = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Takes the stored messages, those of a killed process too. Call it before the first send. */
  async load(): Promise<void> {
    const { name, documents, sourcesTable } = this.#options;
    const query = {
      TableName: sourcesTable,
      KeyConditionExpression: '#source = :source',
      ExpressionAttributeNames: { '#source': 'source' },
      ExpressionAttributeValues: { ':source': name },
      ConsistentRead: true,
    };
    for await (const { Items = [] } of queryPages(documents, query)) {
      for (const item of Items as Message[]) this.#wait({ ...item, receiveCount: 0 });
    }
  }

  /** Stores up to ten messages. Returns their ids. */
  async send(
    messages: readonly { readonly body: string; readonly delaySeconds: number }[],
  ): Promise<string[]> {
    const { name: source, now } = this.#options;
    const sent = messages.map(({ body, delaySeconds }) => ({
      // In the order of their sending.
      id: `${new Date(now()).toISOString()}#${randomUUID()}`,
      body,
      visibleAtMs: this.#inMs(delaySeconds),
    }));
    await this.#write(sent.map((message) => ({ PutRequest: { Item: { source, ...message } } })));
    for (const message of sent) this.#wait({ ...message, receiveCount: 0 });
    void this.poll();
    return sent.map(({ id }) => id);
  }

  /** Sets when a message in flight is visible again if it fails. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    if (this.#inFlight.has(receiptHandle)) this.#inFlight.set(receiptHandle, this.#inMs(seconds));
  }

  /** Invokes the function while there are visible messages. Resolves when the invocations that now run have ended. */
  poll(): Promise<readonly unknown[]> {
    while (!this.#isClosed && this.#runs.size < this.#options.concurrency) {
      const taken = this.#take();
      if (!taken) break;
      const run = this.#handle(taken.messages).finally(() => {
        this.#runs.delete(run);
        taken.group.invocations -= 1;
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

  /** Takes the oldest visible messages of the next group. */
  #take(): { readonly group: Group; readonly messages: readonly Message[] } | undefined {
    const { concurrencyOfGroup, visibilitySeconds, now } = this.#options;
    for (const [key, group] of this.#groups) {
      if (group.invocations === concurrencyOfGroup) continue;
      const visible = group.waiting.filter(({ visibleAtMs }) => visibleAtMs <= now());
      if (visible.length === 0) continue;
      const messages = visible.slice(0, BATCH_SIZE);
      for (const { id } of messages) this.#inFlight.set(id, this.#inMs(visibilitySeconds));
      group.waiting = group.waiting.filter(({ id }) => !this.#inFlight.has(id));
      group.invocations += 1;
      this.#groups.delete(key);
      this.#groups.set(key, group);
      return { group, messages };
    }
    return undefined;
  }

  async #handle(taken: readonly Message[]): Promise<void> {
    const { name: source, receivesMax, reportFailure } = this.#options;
    const received = taken.map((message) => ({ ...message, receiveCount: message.receiveCount + 1 }));
    const failed = await this.#invoke(received);
    let kept = failed.filter(({ receiveCount }) => receiveCount < receivesMax);
    const dropped = failed.length - kept.length;
    if (dropped > 0)
      reportFailure(new Error(`${dropped} messages failed ${receivesMax} times and are dropped`));
    const done = received.filter((message) => !kept.includes(message));
    try {
      await this.#write(done.map(({ id }) => ({ DeleteRequest: { Key: { source, id } } })));
    } catch (error) {
      reportFailure(error);
      kept = received;
    }
    for (const message of kept)
      this.#wait({ ...message, visibleAtMs: this.#inFlight.get(message.id) ?? message.visibleAtMs });
    for (const { id } of taken) this.#inFlight.delete(id);
  }

  /** Invokes the function. Returns the messages to retry: all, if it fails or its response names an unknown one. */
  async #invoke(messages: readonly Message[]): Promise<readonly Message[]> {
    try {
      const { batchItemFailures } = await this.#options.invoke({ Records: messages.map(recordOf) });
      const ids = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const failed = messages.filter(({ id }) => ids.has(id));
      return failed.length === ids.size ? failed : messages;
    } catch (error) {
      this.#options.reportFailure(error);
      return messages;
    }
  }

  #wait(message: Message): void {
    const key = this.#options.groupOf(message.body);
    const group = this.#groups.get(key) ?? { waiting: [], invocations: 0 };
    group.waiting.push(message);
    this.#groups.set(key, group);
  }

  async #write(requests: object[]): Promise<void> {
    const { documents, sourcesTable } = this.#options;
    if (requests.length === 0) return;
    const command = new BatchWriteCommand({ RequestItems: { [sourcesTable]: requests } });
    const { UnprocessedItems = {} } = await documents.send(command);
    if (Object.keys(UnprocessedItems).length > 0) throw new ThrottledError();
  }

  #inMs(seconds: number): number {
    return this.#options.now() + 1_000 * seconds;
  }
}

/** The part of a queue that the calls of its clients need. */
export type CalledQueue = Pick<Queue, 'send' | 'changeVisibility'>;
