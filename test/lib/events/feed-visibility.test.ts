import { expect, it } from 'vitest';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import type { EventRepository } from '../../../lib/events/event-repository.ts';
import { changesAfter } from '../../../lib/events/event-transaction.ts';
import { type FeedPage, readFeed } from '../../../lib/events/feed.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { NOW_MS } from '../../support/clock.ts';
import { waitingCart } from '../../support/domain/payments.ts';

const DAY_MS = 86_400_000;
const LOG: StoreMode = { storeId: 'store-1', mode: 'live' };

/** The events of a transaction that a writer adds behind the last event, of which it sees the counter alone. */
const transaction = (last: LoggedEvent | undefined, count: number, nowMs: number): readonly LoggedEvent[] => {
  const changes = Array.from({ length: count }, () => ({
    event: cartEvent({ type: 'cart.completed', cart: waitingCart(LOG), cause: 'payment' }),
    writes: [],
  }));
  return changesAfter('events', LOG, { counter: last, last }, changes, nowMs).events;
};

/** One transaction a day, from the oldest age in days to the newest. */
const logOf = (...daysOld: readonly number[]): readonly LoggedEvent[] => {
  const events: LoggedEvent[] = [];
  for (const days of daysOld) events.push(...transaction(events.at(-1), 1, NOW_MS - days * DAY_MS));
  return events;
};

interface StoredLog {
  readonly stored: readonly LoggedEvent[];
  readonly kept: number;
  /** The last event, if it is deleted. */
  readonly last?: LoggedEvent | undefined;
}

/** The logs to which the transactions are added. */
const LOGS: Readonly<Record<string, StoredLog>> = {
  'an empty log': { stored: [], kept: 0 },
  'a log with events': { stored: logOf(2, 1), kept: 2 },
  'a log whose first events TTL deleted': { stored: logOf(33, 32.5, 5, 4).slice(2), kept: 2 },
  'a log whose events are too old': { stored: logOf(40, 35), kept: 0 },
  'a log of which TTL deleted some events': { stored: logOf(40, 36, 33, 1).toSpliced(1, 1), kept: 1 },
  'a log whose events were all deleted': { stored: [], kept: 0, last: logOf(40, 35).at(-1) },
  'a log of which TTL left an early event': {
    stored: logOf(40, 36, 35).slice(0, 1),
    kept: 0,
    last: logOf(40, 36, 35).at(-1),
  },
  'a log after a long pause': { stored: logOf(40, 31.5), kept: 1 },
};

/** Three transactions of up to three events, by their numbers of events. Fewer are like three of which some are late. */
const TRANSACTIONS = [
  [1, 1, 1],
  [1, 2, 3],
  [3, 2, 1],
  [2, 3, 1],
];

/** A reader that follows the cursors. */
interface Reader {
  readonly after: string | undefined;
  /** How many events it has seen, from the first of the log. */
  readonly seen: number;
}

/** A log, the events of its transactions, and every order in which these become visible. */
const givenWorld = ({ stored, kept, last = stored.at(-1) }: StoredLog, sizes: readonly number[]) => {
  const transactions: (readonly LoggedEvent[])[] = [];
  for (const [index, size] of sizes.entries()) {
    const written = transaction(last, size, NOW_MS - 1_000 + index * 10);
    transactions.push(written);
    last = written.at(-1);
  }
  const events = [...(kept === 0 ? [] : stored.slice(-kept)), ...transactions.flat()];

  const repositoryOf = (shown: ReadonlySet<LoggedEvent>): EventRepository => {
    const visible = [...stored, ...transactions.flat().filter((event) => shown.has(event))];
    const page = (begin: number, limit: number) => {
      const above = visible.filter((event) => event.sequence > begin);
      const found = above.slice(0, limit);
      return {
        begin,
        entries: found.map((event) => ({ ...event, event })),
        hasMore: above.length > limit,
      };
    };
    return {
      last: () => Promise.resolve(visible.at(-1)),
      find: () => Promise.reject(new Error('not expected')),
      counter: () => Promise.reject(new Error('not expected')),
      first: (_, limit) => Promise.resolve(page(0, limit)),
      after: (_, sequence, limit) => Promise.resolve(page(sequence, limit)),
    };
  };

  /** The events that may become visible next: a transaction's counter may be visible before the events of any earlier one. */
  const next = (shown: ReadonlySet<LoggedEvent>): readonly LoggedEvent[] =>
    transactions.flat().filter((event) => !shown.has(event));

  /** Reads a page. It continues where the reader stopped, and withholds nothing without `hasMore`. */
  const read = async (
    { after, seen }: Reader,
    shown: ReadonlySet<LoggedEvent>,
    limit: number,
  ): Promise<Reader & Pick<FeedPage, 'hasMore'>> => {
    const result = await readFeed({ storeMode: LOG, after, limit, nowMs: NOW_MS }, repositoryOf(shown));
    if (result.outcome !== 'read') throw new Error(`The cursor was rejected: ${result.reason}`);
    const { events: page, cursor, hasMore } = result.page;
    const until = seen + page.length;
    expect(page.map(({ id }) => id)).toStrictEqual(events.slice(seen, until).map(({ id }) => id));
    if (!hasMore) expect(until).toBe(events.length - (transactions.flat().length - shown.size));
    return { after: cursor, seen: until, hasMore };
  };

  return { events, next, read };
};

/**
 * Follows every interleaving of the events that become visible with the reads of each reader. A read changes nothing in the
 * log: each reader alone shows what any two of them see.
 */
const expectEachEventOnce = async (
  { events, next, read }: ReturnType<typeof givenWorld>,
  starts: readonly Reader[],
  limit: number,
): Promise<void> => {
  const known = new Set<string>();
  const visit = async (shown: ReadonlySet<LoggedEvent>, reader: Reader): Promise<void> => {
    const state = [...shown].map(({ sequence }) => sequence).toSorted((a, b) => a - b);
    const key = `${state.join()} ${reader.after} ${reader.seen}`;
    if (known.has(key)) return;
    known.add(key);
    const after = await read(reader, shown, limit);
    await visit(shown, after);
    const showable = next(shown);
    for (const event of showable) await visit(new Set([...shown, event]), reader);
    // Every page moves on, up to the end.
    if (showable.length === 0) {
      expect(after.hasMore ? after.after !== reader.after : after.seen === events.length).toBe(true);
    }
  };
  for (const start of starts) await visit(new Set(), start);
};

it.each(Object.entries(LOGS))(
  'every reader gets each event once, in whatever order those of three transactions become visible, in %s',
  async (_, stored) => {
    for (const sizes of TRANSACTIONS) {
      for (const limit of [1, 2, 100]) {
        const world = givenWorld(stored, sizes);
        let before: Reader & { hasMore?: boolean } = { after: undefined, seen: 0 };
        do before = await world.read(before, new Set(), limit);
        while (before.hasMore);
        await expectEachEventOnce(world, [{ after: undefined, seen: 0 }, before], limit);
      }
    }
  },
);
