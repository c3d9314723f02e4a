import type { EventStore } from '../../../lib/events/event-store.ts';
import { sequenceBefore } from '../../../lib/events/sequence-before.ts';
import type { LogId, LoggedEvent } from '../../../lib/events/store-event.ts';

const PAGE_EVENTS = 100;

/** Reads the events of a log that were recorded from one time until another one, in their order. */
export async function* eventsBetween(
  store: EventStore,
  log: LogId,
  sinceMs: number,
  untilMs: number,
): AsyncGenerator<LoggedEvent> {
  const isRecent = ({ recordedAtMs }: LoggedEvent): boolean => recordedAtMs >= sinceMs;
  const [first] = (await store.after(log, 0, 1)).events;
  let sequence = first && !isRecent(first) ? await sequenceBefore(store, log, isRecent, first.sequence) : 0;
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
