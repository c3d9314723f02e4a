import type { EventStore } from '../../../lib/events/event-store.ts';
import type { LogId, LoggedEvent } from '../../../lib/events/logged-event.ts';

const PAGE_EVENTS = 100;

/** Reads the events of a log above a number, in their order. */
export async function* eventsAfter(
  store: EventStore,
  log: LogId,
  sequence: number,
): AsyncGenerator<LoggedEvent> {
  let last = sequence;
  for (let hasMore = true; hasMore;) {
    const page = await store.after(log, last, PAGE_EVENTS);
    yield* page.events;
    last = page.events.at(-1)?.sequence ?? last;
    ({ hasMore } = page);
  }
}

/** The first event of a log that was recorded at a time or later. Some forty short reads halve the range of its number. */
export const firstEventSince = async (
  store: EventStore,
  log: LogId,
  timeMs: number,
): Promise<LoggedEvent | undefined> => {
  let first: LoggedEvent | undefined;
  // All events up to `low` are older, and the next one above `high` is not.
  let low = 0;
  let high = (await store.last(log))?.sequence ?? 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = (await store.after(log, middle, 1)).events;
    if (next && next.recordedAtMs < timeMs) {
      low = next.sequence;
    } else {
      high = middle;
      first = next;
    }
  }
  return first;
};

/** Reads the events of a log that were recorded from a time until now, in their order. */
export async function* eventsSince(
  store: EventStore,
  log: LogId,
  sinceMs: number,
): AsyncGenerator<LoggedEvent> {
  const last = await store.last(log);
  const first = await firstEventSince(store, log, sinceMs);
  if (!last || !first) return;
  for await (const event of eventsAfter(store, log, first.sequence - 1)) {
    if (event.sequence > last.sequence) return;
    yield event;
  }
}
