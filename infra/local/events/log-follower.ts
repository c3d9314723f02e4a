import type { Clock } from '../../../lib/core/clock.ts';
import { isDatedAhead } from '../../../lib/events/event-item.ts';
import type { EventPage, EventStore } from '../../../lib/events/event-store.ts';
import type { FanOutResult } from '../../../lib/events/fan-out.ts';
import { type LogId, type LoggedEvent, logKey } from '../../../lib/events/store-event.ts';
import type { LogPositions } from './log-positions.ts';

/** A process sends its own events at once. After this time, a sweep of any process sends them: their own may be dead. */
const GRACE_MS = 1_000;

const PAGE_SIZE = 100;

export interface LogFollowerOptions {
  /** Sends events to the bus and to the delivery queue. */
  readonly fanOut: (events: readonly LoggedEvent[]) => Promise<FanOutResult>;
  readonly events: Pick<EventStore, 'after'>;
  readonly positions: LogPositions;
  readonly now: Clock;
  readonly reportFailure: (error: unknown) => void;
}

/** The state of a log in this process. */
interface Followed {
  readonly log: LogId;
  /** Another process may have moved it further. */
  position?: number | undefined;
  /** The events above the position that this process sends or has sent. */
  readonly own: Map<number, 'sending' | 'sent'>;
}

const numbersFrom = function* (first: number): Iterable<number> {
  for (let number = first; ; number += 1) yield number;
};

/** Moves the position over the events that are sent. */
const passSent = (followed: Followed, sequences: Iterable<number>): void => {
  for (const sequence of sequences) {
    if (followed.own.get(sequence) !== 'sent') return;
    followed.own.delete(sequence);
    followed.position = sequence;
  }
};

/**
 * Follows the event logs, as the stream of their table does in the cloud. It misses no event, whichever process recorded it.
 * It stores the number of the last sent event. After `kill -9`, it sends a few events again, with the same ids.
 */
export class LogFollower {
  readonly #options: LogFollowerOptions;
  readonly #logs = new Map<string, Followed>();
  readonly #taken: LoggedEvent[] = [];
  #sending: Promise<void> | undefined;

  constructor(options: LogFollowerOptions) {
    this.#options = options;
  }

  /** Sends an event that this process has just recorded. */
  take(event: LoggedEvent): void {
    this.#followed(event).own.set(event.sequence, 'sending');
    this.#taken.push(event);
    this.#sending ??= this.#sendTaken();
  }

  /** Sends the events of a log that other processes recorded, or that a killed process left behind. */
  async sweep(log: LogId): Promise<void> {
    const followed = this.#followed(log);
    const { own } = followed;
    const { events, hasMore } = await this.#readAfter(followed);
    const before = followed.position;
    const nowMs = this.#options.now();
    const isNew = (event: LoggedEvent): boolean =>
      event.recordedAtMs > nowMs - GRACE_MS && !isDatedAhead(event, nowMs);
    const waits = (event: LoggedEvent): boolean =>
      own.has(event.sequence) ? own.get(event.sequence) === 'sending' : isNew(event);
    const end = events.findIndex(waits);
    const ready = end === -1 ? events : events.slice(0, end);
    await this.#send(ready.filter(({ sequence }) => !own.has(sequence)));
    passSent(
      followed,
      ready.map(({ sequence }) => sequence),
    );
    await this.#storePosition(followed, before);
    if (hasMore && end === -1 && followed.position !== before) await this.sweep(log);
  }

  /** Waits until all taken events are sent. */
  async close(): Promise<void> {
    await this.#sending;
  }

  #followed({ storeId, mode }: LogId): Followed {
    const log = { storeId, mode };
    const followed = this.#logs.get(logKey(log)) ?? { log, own: new Map() };
    this.#logs.set(logKey(log), followed);
    return followed;
  }

  async #sendTaken(): Promise<void> {
    while (this.#taken.length > 0) {
      const batch = this.#taken.splice(0, PAGE_SIZE);
      await this.#send(batch);
      for (const followed of new Set(batch.map((event) => this.#followed(event)))) {
        const { position } = followed;
        // Before the first sweep, the position is unknown.
        if (position === undefined) continue;
        passSent(followed, numbersFrom(position + 1));
        await this.#storePosition(followed, position).catch(this.#options.reportFailure);
      }
    }
    this.#sending = undefined;
  }

  /** Sends events of any logs. A later sweep sends those that an outage leaves. */
  async #send(batch: readonly LoggedEvent[]): Promise<void> {
    for (const event of batch) this.#followed(event).own.set(event.sequence, 'sending');
    const { handled, rejected, outage } = await this.#options.fanOut(batch);
    for (const [index, event] of batch.entries()) {
      const { own } = this.#followed(event);
      if (index < handled) own.set(event.sequence, 'sent');
      else own.delete(event.sequence);
    }
    for (const { error } of rejected) this.#options.reportFailure(error);
    if (outage !== undefined) this.#options.reportFailure(outage);
  }

  async #storePosition({ log, position }: Followed, before: number | undefined): Promise<void> {
    if (position !== undefined && position !== before) await this.#options.positions.move(log, position);
  }

  /** Reads the events above the position. */
  async #readAfter(followed: Followed): Promise<EventPage> {
    const { log, own } = followed;
    const { events, positions } = this.#options;
    followed.position ??= (await positions.read(log)) ?? 0;
    const page = await events.after(log, followed.position, PAGE_SIZE);
    if (page.events.some(({ sequence }) => !own.has(sequence))) {
      // Another process may have sent them.
      followed.position = Math.max(followed.position, (await positions.read(log)) ?? 0);
    }
    const { position } = followed;
    return { ...page, events: page.events.filter(({ sequence }) => sequence > position) };
  }
}
