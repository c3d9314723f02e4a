import type { EventStore } from '../../../lib/events/event-store.ts';
import type { LogId, LoggedEvent } from '../../../lib/events/store-event.ts';

const PAGE_EVENTS = 100;

/**
 * The number below the first event of a log that was recorded at a time or later. Times and numbers increase together, so
 * this is a binary search, with one read for each step.
 */
const before = async (store: EventStore, log: LogId, sinceMs: number): Promise<number> => {
  const [first] = (await store.after(log, 0, 1)).events;
  if (!first || first.recordedAtMs >= sinceMs) return 0;
  const last = await store.last(log);
  let earlier = first.sequence;
  let later = (last?.sequence ?? earlier) + 1;
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    // The event at the middle, or the first one after it: some may be deleted.
    const [event] = (await store.after(log, middle - 1, 1)).events;
    if (!event || event.recordedAtMs >= sinceMs) later = middle;
    else earlier = event.sequence;
  }
  return earlier;
};

/** Reads the events of a log that were recorded from one time until another one, in their order. */
export async function* eventsBetween(
  store: EventStore,
  log: LogId,
  sinceMs: number,
  untilMs: number,
): AsyncGenerator<LoggedEvent> {
  let sequence = await before(store, log, sinceMs);
  for (let hasMore = true; hasMore;) {
    const page = await store.after(log, sequence, PAGE_EVENTS);
    for (const event of page.events) {
      if (event.recordedAtMs > untilMs) return;
      yield event;
      sequence = event.sequence;
    }
    ({ hasMore } = page);
  }
}
