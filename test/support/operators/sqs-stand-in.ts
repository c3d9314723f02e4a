import { randomUUID } from 'node:crypto';
import type { CalledQueue } from '../../../infra/local/aws/queue.ts';

interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  /** Set while a receiver has the message. */
  receiptHandle?: string | undefined;
}

/** A queue in memory. A message stays invisible until its receiver releases it: no time passes, except by `endHolds`. */
const createQueue = () => {
  let messages: QueuedMessage[] = [];
  let holdsHaveEnded = false;
  const isHeld = ({ receiptHandle }: QueuedMessage): boolean => receiptHandle !== undefined;
  const receive = (message: QueuedMessage) => {
    const receiptHandle = randomUUID();
    message.receiptHandle = receiptHandle;
    const { id, body } = message;
    const stored = { id, body, sentAtMs: 1_768_480_200_000, visibleAtMs: 0 };
    return { message: stored, receiptHandle, receiveCount: 1, firstReceivedAtMs: 0 };
  };
  const calls: CalledQueue = {
    send: async (sent) => {
      const added = sent.map(({ body }) => ({ id: randomUUID(), body }));
      messages.push(...added);
      return added.map(({ id }) => id);
    },
    receive: (max) =>
      messages
        .filter((message) => holdsHaveEnded || !isHeld(message))
        .slice(0, max)
        .map(receive),
    changeVisibility: (handle) => {
      for (const message of messages) {
        if (message.receiptHandle === handle) message.receiptHandle = undefined;
      }
    },
    delete: async (handles) => {
      messages = messages.filter(({ receiptHandle = '' }) => !handles.includes(receiptHandle));
    },
    counts: () => {
      const inFlight = messages.filter(isHeld).length;
      return { visible: messages.length - inFlight, inFlight };
    },
  };
  return {
    calls,
    bodies: () => messages.map(({ body }) => body),
    isHeld: () => messages.some(isHeld),
    endHolds: () => {
      holdsHaveEnded = true;
    },
  };
};

/** The queues of SQS, by their addresses. Each exists once something names it. */
export const createQueues = () => {
  const queues = new Map<string, ReturnType<typeof createQueue>>();
  const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
  const named = (name: string) => {
    const queue = queues.get(name) ?? createQueue();
    queues.set(name, queue);
    return queue;
  };
  const queueOf = (url: string) => named(nameOf(url));
  return {
    /** The queues by name, for the calls. */
    calls: new Proxy<Record<string, CalledQueue>>({}, { get: (_, name) => named(String(name)).calls }),
    put: (url: string, body: string): void => void queueOf(url).calls.send([{ body, delaySeconds: 0 }]),
    /** The bodies of a queue's messages, in the order in which they were sent. */
    bodies: (url: string): readonly string[] => queueOf(url).bodies(),
    /** Whether a receiver still holds messages of a queue. */
    isHeld: (url: string): boolean => queueOf(url).isHeld(),
    /** From now on, the messages of a queue become visible again before their receiver has released them. */
    endHolds: (url: string): void => queueOf(url).endHolds(),
    clear: (url: string): void => void queues.delete(nameOf(url)),
  };
};
