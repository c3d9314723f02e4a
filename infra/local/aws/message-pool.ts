import type { Clock } from '../../../lib/core/clock.ts';

/**
 * The most messages in flight of a standard queue.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
export const IN_FLIGHT_MAX = 120_000;

interface MessagePoolOptions {
  readonly now: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** How long a received message stays hidden, unless its receiver changes that. */
  readonly visibilitySeconds: number;
}

/** A message that a receiver has. */
export interface Received<Message> {
  readonly message: Message;
  /** Each receive has another one. */
  readonly receiptHandle: string;
  readonly receiveCount: number;
  readonly firstReceivedAtMs: number;
}

interface Pooled<Message> {
  readonly message: Message;
  receiptHandle: string;
  receiveCount: number;
  firstReceivedAtMs: number | undefined;
  visibleAtMs: number;
}

/**
 * The messages of a standard queue, in memory. Each is delayed, visible, or in flight: received and not deleted. A message in
 * flight becomes visible when its time is over. Its next receive has a new receipt handle.
 *
 * SQS promises no order, so a receiver gets random messages.
 */
export class MessagePool<Message extends { readonly id: string }> {
  readonly #options: MessagePoolOptions;
  readonly #visible: Pooled<Message>[] = [];
  /** The delayed messages, and those in flight. */
  readonly #hidden = new Set<Pooled<Message>>();
  /** None of them is visible before. */
  #nextVisibleAtMs = Infinity;
  /** By receipt handle. */
  readonly #inFlight = new Map<string, Pooled<Message>>();

  constructor(options: MessagePoolOptions) {
    this.#options = options;
  }

  /** Adds a message. Until it is visible, it is delayed, not in flight. */
  add(message: Message, visibleAtMs: number): void {
    const unreceived = { receiptHandle: '', receiveCount: 0, firstReceivedAtMs: undefined };
    this.#hide({ message, ...unreceived, visibleAtMs }, visibleAtMs);
  }

  /** Takes visible messages. It returns none while {@link IN_FLIGHT_MAX} are in flight. */
  receive(
    countMax: number,
    visibilitySeconds = this.#options.visibilitySeconds,
  ): readonly Received<Message>[] {
    this.#showDue();
    const count = Math.min(countMax, this.#visible.length, IN_FLIGHT_MAX - this.#inFlight.size);
    return Array.from({ length: count }, () => {
      const pooled = this.#takeRandom();
      const { message } = pooled;
      const receiveCount = (pooled.receiveCount += 1);
      const receiptHandle = (pooled.receiptHandle = `${message.id}#${receiveCount}`);
      const firstReceivedAtMs = (pooled.firstReceivedAtMs ??= this.#options.now());
      this.#inFlight.set(receiptHandle, pooled);
      this.#hide(pooled, this.#options.now() + 1_000 * visibilitySeconds);
      return { message, receiptHandle, receiveCount, firstReceivedAtMs };
    });
  }

  /** Sets when a message in flight is visible again. It stays in flight until then. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    this.#showDue();
    const pooled = this.#inFlight.get(receiptHandle);
    if (pooled) this.#hide(pooled, this.#options.now() + 1_000 * seconds);
  }

  /** The message in flight with this handle. */
  find(receiptHandle: string): Message | undefined {
    this.#showDue();
    return this.#inFlight.get(receiptHandle)?.message;
  }

  /** Deletes a message in flight. One that is visible again stays: a standard queue may deliver a message twice. */
  delete(receiptHandle: string): void {
    this.#showDue();
    const pooled = this.#inFlight.get(receiptHandle);
    if (!pooled) return;
    this.#hidden.delete(pooled);
    this.#inFlight.delete(receiptHandle);
  }

  /** The numbers of messages. Delayed messages are in neither. */
  counts(): { readonly visible: number; readonly inFlight: number } {
    this.#showDue();
    return { visible: this.#visible.length, inFlight: this.#inFlight.size };
  }

  #hide(pooled: Pooled<Message>, untilMs: number): void {
    pooled.visibleAtMs = untilMs;
    this.#hidden.add(pooled);
    this.#nextVisibleAtMs = Math.min(this.#nextVisibleAtMs, untilMs);
  }

  #showDue(): void {
    const nowMs = this.#options.now();
    if (nowMs < this.#nextVisibleAtMs) return;
    this.#nextVisibleAtMs = Infinity;
    for (const pooled of this.#hidden) {
      if (pooled.visibleAtMs > nowMs) {
        this.#nextVisibleAtMs = Math.min(this.#nextVisibleAtMs, pooled.visibleAtMs);
        continue;
      }
      this.#hidden.delete(pooled);
      this.#inFlight.delete(pooled.receiptHandle);
      this.#visible.push(pooled);
    }
  }

  /** Removes a random visible message. The last one takes its place. */
  #takeRandom(): Pooled<Message> {
    const visible = this.#visible;
    const index = Math.floor(this.#options.random() * visible.length);
    const taken = visible[index] as Pooled<Message>;
    const last = visible.pop() as Pooled<Message>;
    if (last !== taken) visible[index] = last;
    return taken;
  }
}
