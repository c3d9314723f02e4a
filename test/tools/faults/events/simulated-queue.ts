import type { Clock } from '../../../../lib/core/clock.ts';
import type { DeliveryMessage, DeliveryQueue } from '../../../../lib/webhooks/delivery.ts';

/** The longest delay of SQS. */
const DELAY_MAX_SECONDS = 900;

export interface Queued {
  readonly message: DeliveryMessage;
  readonly visibleAtMs: number;
  /** How often the queue has delivered the message before. */
  readonly receiveCount: number;
}

/** A queue in memory, with the delays of SQS, on a clock of its own. */
export const createSimulatedQueue = (now: Clock) => {
  let queued: Queued[] = [];
  const put = (message: DeliveryMessage, delaySeconds: number, receiveCount: number): void => {
    if (delaySeconds < 0 || delaySeconds > DELAY_MAX_SECONDS) {
      throw new Error(`SQS has no delay of ${delaySeconds} s`);
    }
    queued.push({ message, visibleAtMs: now() + 1_000 * delaySeconds, receiveCount });
  };
  return {
    send: async (messages, delaySeconds = 0): Promise<void> => {
      for (const message of messages) put(message, delaySeconds, 0);
    },
    /** Puts a message back. */
    putBack: ({ message, receiveCount }: Queued, delaySeconds: number): void =>
      put(message, delaySeconds, receiveCount + 1),
    /** The time from which the next message is visible. {@link Infinity} without one. */
    nextMs: (): number => queued.reduce((least, { visibleAtMs }) => Math.min(least, visibleAtMs), Infinity),
    /** Takes the visible messages, the oldest first. */
    take: (): readonly Queued[] => {
      const visible = queued.filter(({ visibleAtMs }) => visibleAtMs <= now());
      queued = queued.filter(({ visibleAtMs }) => visibleAtMs > now());
      return visible.toSorted((a, b) => a.visibleAtMs - b.visibleAtMs);
    },
  } satisfies DeliveryQueue & Record<string, unknown>;
};

export type SimulatedQueue = ReturnType<typeof createSimulatedQueue>;
