import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';
import { queryPages } from '../../../lib/core/dynamodb-pages.ts';
import type { Documents } from '../../../lib/core/documents.ts';
import { ThrottledError } from '../../../lib/core/errors.ts';

/** The most messages of an invocation and of a call, as on AWS. */
const BATCH_SIZE = 10;

interface QueueOptions {
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
  /** The function gets it then. A message in flight returns then, unless the function handles it. */
  visibleAtMs: number;
  /** How often the function got it. A restart of the stage begins anew. */
  receiveCount: number;
}

interface Group {
  /** In the order of their arrival. */
  messages: Message[];
  invocations: number;
}

/** The fields that the functions read. */
const recordOf = ({ id, body, receiveCount }: Message): SQSRecord => {
  const attributes = { ApproximateReceiveCount: String(receiveCount) };
  return { messageId: id, receiptHandle: id, body, attributes } as SQSRecord;
};

/** Invokes the function. Returns the messages to retry: all, if its response names an unknown one. */
const failedOf = async (
  messages: readonly Message[],
  invoke: QueueOptions['invoke'],
): Promise<readonly Message[]> => {
  const { batchItemFailures } = await invoke({ Records: messages.map(recordOf) });
  const ids = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const failed = messages.filter(({ id }) => ids.has(id));
  return failed.length === ids.size ? failed : messages;
};

/**
 * A standard queue of SQS with its event source mapping: it invokes a function with each message at least once. The messages
 * are in memory, and in a table until the function has handled them, so that they survive `kill -9`.
 */
export class Queue {
  readonly #options: QueueOptions;
  /** In the order of their turns. */
  readonly #groups = new Map<string, Group>();
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
      for (const item of Items as Message[]) this.#add({ ...item, receiveCount: 0 });
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
    for (const message of sent) this.#add({ ...message, receiveCount: 0 });
    void this.poll();
    return sent.map(({ id }) => id);
  }

  /** Sets when a message in flight is visible again if it fails. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    const messages = [...this.#groups.values()].flatMap((group) => group.messages);
    const message = messages.find(({ id }) => id === receiptHandle);
    if (message) message.visibleAtMs = this.#inMs(seconds);
  }

  /** Invokes the function while there are visible messages. Resolves when the invocations that now run have ended. */
  poll(): Promise<readonly unknown[]> {
    while (!this.#isClosed && this.#runs.size < this.#options.concurrency) {
      const taken = this.#take();
      if (!taken) break;
      const run = this.#handle(...taken).finally(() => {
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

  /** Takes the oldest visible messages of the next group. */
  #take(): readonly [Group, readonly Message[]] | undefined {
    const { concurrencyOfGroup, visibilitySeconds, now } = this.#options;
    for (const [key, group] of this.#groups) {
      if (group.invocations === concurrencyOfGroup) continue;
      const visible = group.messages.filter(({ visibleAtMs }) => visibleAtMs <= now());
      if (visible.length === 0) continue;
      const messages = visible.slice(0, BATCH_SIZE);
      for (const message of messages) {
        message.visibleAtMs = this.#inMs(visibilitySeconds);
        message.receiveCount += 1;
      }
      group.invocations += 1;
      this.#groups.delete(key);
      this.#groups.set(key, group);
      return [group, messages];
    }
    return undefined;
  }

  /** Invokes the function, and deletes the messages that it has handled or got too often. The others return. */
  async #handle(group: Group, messages: readonly Message[]): Promise<void> {
    const { name: source, receivesMax, invoke, reportFailure } = this.#options;
    const failed = await failedOf(messages, invoke).catch((error: unknown) => {
      reportFailure(error);
      return messages;
    });
    const dropped = failed.filter(({ receiveCount }) => receiveCount >= receivesMax);
    if (dropped.length > 0)
      reportFailure(new Error(`${dropped.length} messages failed ${receivesMax} times and are dropped`));
    const done = new Set(
      messages.filter((message) => !failed.includes(message) || dropped.includes(message)),
    );
    try {
      await this.#write(Array.from(done, ({ id }) => ({ DeleteRequest: { Key: { source, id } } })));
      group.messages = group.messages.filter((message) => !done.has(message));
    } catch (error) {
      reportFailure(error);
    }
    group.invocations -= 1;
  }

  #add(message: Message): void {
    const key = this.#options.groupOf(message.body);
    const group = this.#groups.get(key) ?? { messages: [], invocations: 0 };
    group.messages.push(message);
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
