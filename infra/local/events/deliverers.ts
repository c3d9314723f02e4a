import type { Clock } from '../../../lib/core/clock.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import type { QueuedMessage, StoredDeliveryQueue } from '../delivery-queue.ts';
import { createTurns } from './turns.ts';

/** Most of the time, a delivery waits for its receiver. Fifty endpoints can hang before the others wait for a place. */
const RUNNING_MAX = 100;

/** The leases of an endpoint permit two. A third would only return. */
const RUNNING_PER_ENDPOINT_MAX = 2;

/** More than an attempt of 10 s and its database calls take. */
const CLAIM_MS = 60_000;

/** After a failure of the database. */
const RETRY_AFTER_MS = 5_000;

/** While another process, or the lease of a killed one, uses both places of an endpoint. */
const BUSY_AFTER_MS = 1_000;

/** A slow write can become visible after the poll that covers its time. */
const POLL_OVERLAP_MS = 2_000;

/**
 * Makes one attempt. `unsent`: the message was parked or dropped. `busy`: another process uses the endpoint. The message
 * returns after this, and after an error.
 */
export type Deliver = (message: DeliveryMessage) => Promise<'sent' | 'unsent' | 'busy'>;

export interface DelivererOptions {
  readonly queue: Pick<StoredDeliveryQueue, 'list' | 'claim' | 'remove'>;
  readonly deliver: Deliver;
  readonly now: Clock;
  readonly reportFailure: (error: unknown) => void;
}

/**
 * The messages that a poll takes. `recent`: those that became visible since the last poll. `all`: also older ones.
 * `orphans`: all, and the processes that claimed them have ended.
 */
export type PollScope = 'recent' | 'all' | 'orphans';

/** Handles the messages of the delivery queue. */
export interface Deliverers {
  /** Takes messages that this process has just stored. */
  add(messages: readonly QueuedMessage[]): void;

  /** Takes the messages that other processes stored, and those whose delay or claim has ended. */
  poll(scope: PollScope): Promise<void>;

  /** Starts no more deliveries. Waits for the running ones. */
  close(): Promise<void>;
}

interface Waiting extends QueuedMessage {
  /** Whether the process that claimed it has ended. */
  readonly isOrphan: boolean;
}

interface Postponed {
  readonly message: Waiting;
  readonly atMs: number;
}

interface Handled {
  /** The message with a later time, if it must be handled again. */
  readonly postponed?: Postponed;
  /** Whether the place rests: the endpoint's next message could probably not be sent either. */
  readonly rests: boolean;
}

/** Handles one message. */
const handle = async (
  message: Waiting,
  { queue, deliver, now, reportFailure }: DelivererOptions,
): Promise<Handled> => {
  // This process then owns the claim.
  const again = (afterMs: number): Handled => ({
    postponed: {
      message: { ...message, claimedUntilMs: now() + CLAIM_MS, isOrphan: true },
      atMs: now() + afterMs,
    },
    rests: true,
  });
  try {
    const claim = await queue.claim(message, CLAIM_MS, message.isOrphan);
    if (claim.outcome === 'taken') return { postponed: { message, atMs: claim.untilMs }, rests: true };
    if (claim.outcome === 'gone') return { rests: false };
    const outcome = await deliver(claim.message);
    if (outcome === 'busy') return again(BUSY_AFTER_MS);
    await queue.remove(message.id);
    return { rests: outcome === 'unsent' };
  } catch (error) {
    reportFailure(error);
    return again(RETRY_AFTER_MS);
  }
};

/** Runs work while `next` returns some, with at most `runningMax` at a time. */
const createPool = (runningMax: number, next: () => Promise<void> | undefined) => {
  const runs = new Set<Promise<void>>();
  let isClosed = false;
  const fill = (): void => {
    while (runs.size < runningMax) {
      const work = isClosed ? undefined : next();
      if (!work) return;
      const run = work.finally(() => {
        runs.delete(run);
        fill();
      });
      runs.add(run);
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all(runs);
  };
  return { fill, close };
};

/**
 * Creates the deliverers. Endpoints take turns, and each has at most two deliveries at a time. After a message that was not
 * sent, its place rests until the next poll. Thousands of messages of an endpoint that hangs, or whose breaker is open,
 * therefore delay no others.
 */
export const createDeliverers = (options: DelivererOptions): Deliverers => {
  const turns = createTurns<Waiting>(RUNNING_PER_ENDPOINT_MAX);
  /** The ids of the messages that wait, run or are postponed. */
  const known = new Set<string>();
  let postponed: Postponed[] = [];
  /** The endpoints of places that rest. */
  let resting: string[] = [];
  let polledToMs = 0;

  const run = async (message: Waiting): Promise<void> => {
    const { postponed: again, rests } = await handle(message, options);
    if (again) postponed.push(again);
    else known.delete(message.id);
    if (rests) resting.push(message.endpointId);
    else turns.release(message.endpointId);
  };
  const pool = createPool(RUNNING_MAX, () => {
    const message = turns.take();
    return message && run(message);
  });
  const add = (messages: readonly QueuedMessage[], isOrphan = false): void => {
    for (const message of messages.filter(({ id }) => !known.has(id))) {
      known.add(message.id);
      turns.add(message.endpointId, { ...message, isOrphan });
    }
    pool.fill();
  };

  return {
    add: (messages) => add(messages),
    async poll(scope) {
      const toMs = options.now();
      const fromMs = scope === 'recent' ? Math.max(0, polledToMs - POLL_OVERLAP_MS) : 0;
      const due = postponed.filter(({ atMs }) => atMs <= toMs);
      postponed = postponed.filter(({ atMs }) => atMs > toMs);
      for (const { message } of due) turns.add(message.endpointId, message);
      for (const endpointId of resting) turns.release(endpointId);
      resting = [];
      add(await options.queue.list({ fromMs, toMs }), scope === 'orphans');
      polledToMs = toMs;
    },
    close: () => pool.close(),
  };
};
