import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { listen } from '../../infra/local/gateway/listen.ts';
import { callerIdentityXml, createLogGroups } from './audit-stand-in.ts';

const HOST = '127.0.0.1';

interface QueuedMessage {
  readonly MessageId: string;
  readonly Body: string;
  readonly DelaySeconds: number;
  /** Set while a receiver has the message. */
  receiptHandle?: string | undefined;
}

/** An entry of PutEvents. */
export interface BusEntry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

type Call = Readonly<Record<string, unknown>>;

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** SQS in memory. A message stays invisible until its receiver releases it: no time passes, except by `endHolds`. */
const createQueues = () => {
  const queues = new Map<string, QueuedMessage[]>();
  const slow = new Set<string>();
  const contended = new Set<string>();
  const queueOf = (url: unknown): QueuedMessage[] => {
    const found = queues.get(String(url)) ?? [];
    queues.set(String(url), found);
    return found;
  };
  const send = (queue: QueuedMessage[], { Id, MessageBody, DelaySeconds = 0 }: Call) => {
    const message = {
      MessageId: randomUUID(),
      Body: String(MessageBody),
      DelaySeconds: Number(DelaySeconds),
    };
    queue.push(message);
    return { Id, MessageId: message.MessageId, MD5OfMessageBody: md5(message.Body) };
  };
  const receive = (queue: QueuedMessage[], { QueueUrl, MaxNumberOfMessages = 1 }: Call) =>
    queue
      .filter(({ receiptHandle }) => receiptHandle === undefined || slow.has(String(QueueUrl)))
      .slice(0, Number(MaxNumberOfMessages))
      .map((message) => {
        message.receiptHandle = randomUUID();
        const { MessageId, Body, receiptHandle } = message;
        const Attributes = { SentTimestamp: '1768480200000' };
        return { MessageId, Body, MD5OfBody: md5(Body), ReceiptHandle: receiptHandle, Attributes };
      });
  const actions: Readonly<Record<string, (queue: QueuedMessage[], call: Call) => object>> = {
    SendMessage: send,
    SendMessageBatch: (queue, { Entries }) => ({
      Successful: (Entries as readonly Call[]).map((entry) => send(queue, entry)),
      Failed: [],
    }),
    ReceiveMessage: (queue, call) => ({ Messages: receive(queue, call) }),
    DeleteMessageBatch: (queue, { Entries }) => {
      const handles = new Set((Entries as readonly Call[]).map(({ ReceiptHandle }) => ReceiptHandle));
      const kept = queue.filter(({ receiptHandle }) => !handles.has(receiptHandle));
      queue.splice(0, queue.length, ...kept);
      return { Successful: [], Failed: [] };
    },
    ChangeMessageVisibilityBatch: (queue, { QueueUrl, Entries }) => {
      const handles = new Set((Entries as readonly Call[]).map(({ ReceiptHandle }) => ReceiptHandle));
      const next = contended.has(String(QueueUrl)) ? randomUUID() : undefined;
      for (const message of queue) {
        if (handles.has(message.receiptHandle)) message.receiptHandle = next;
      }
      return { Successful: [], Failed: [] };
    },
    GetQueueAttributes: (queue) => {
      const held = queue.filter(({ receiptHandle }) => receiptHandle !== undefined);
      return {
        Attributes: {
          ApproximateNumberOfMessages: String(queue.length - held.length),
          ApproximateNumberOfMessagesNotVisible: String(held.length),
        },
      };
    },
  };
  return {
    handle: (action: string, call: Call): object | undefined =>
      actions[action]?.(queueOf(call['QueueUrl']), call),
    /** The bodies of a queue's messages, in the order in which they were sent. */
    bodies: (url: string): readonly string[] => queueOf(url).map(({ Body }) => Body),
    /** Whether a receiver still holds messages of a queue. */
    isHeld: (url: string): boolean => queueOf(url).some(({ receiptHandle }) => receiptHandle !== undefined),
    clear: (url: string): void => {
      queues.delete(url);
      slow.delete(url);
      contended.delete(url);
    },
    /** From now on, the messages of a queue become visible again before their receiver has released them. */
    endHolds: (url: string): void => void slow.add(url),
    /** From now on, another receiver takes each message of a queue as soon as its receiver releases it. */
    contend: (url: string): void => void contended.add(url),
    /** Makes all messages of a queue visible, and takes them no longer. */
    releaseAll: (url: string): void => {
      contended.delete(url);
      for (const message of queueOf(url)) message.receiptHandle = undefined;
    },
    put: (url: string, MessageBody: string): void => void send(queueOf(url), { MessageBody }),
  };
};

/** Starts a stand-in for SQS, EventBridge, CloudWatch Logs and STS, in their own protocols. */
export const startAws = async () => {
  const queues = createQueues();
  const logs = createLogGroups();
  const entries: BusEntry[] = [];
  let onEvent: (entry: BusEntry) => Promise<string | undefined> = async () => undefined;
  const putEvents = async ({ Entries }: Call) => {
    const results = [];
    for (const entry of Entries as readonly BusEntry[]) {
      entries.push(entry);
      const ErrorCode = await onEvent(entry);
      results.push(ErrorCode === undefined ? { EventId: randomUUID() } : { ErrorCode });
    }
    return { Entries: results, FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length };
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    // STS alone speaks the query protocol.
    if (request.headers['x-amz-target'] === undefined) {
      response.setHeader('Content-Type', 'text/xml');
      response.end(callerIdentityXml());
      return;
    }
    const call = JSON.parse(body) as Call;
    const [target = '', action = ''] = String(request.headers['x-amz-target']).split('.');
    const respondTo = async (): Promise<object | undefined> => {
      if (action === 'PutEvents') return putEvents(call);
      return target === 'Logs_20140328' ? logs.handle(action, call) : queues.handle(action, call);
    };
    const result = (await respondTo()) ?? { __type: 'UnknownOperationException' };
    response.setHeader('Content-Type', 'application/x-amz-json-1.0');
    response.statusCode = '__type' in result ? 400 : 200;
    response.end(JSON.stringify(result));
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listen(server, HOST, 0);
  return {
    endpoint: `http://${HOST}:${port}`,
    queues,
    logs,
    /** Everything that was put on a bus. */
    entries,
    /** Handles the next entries. It returns the code of the error with which EventBridge rejects one. */
    onEvent: (handle: typeof onEvent): void => {
      onEvent = handle;
    },
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
