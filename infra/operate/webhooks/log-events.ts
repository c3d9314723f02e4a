import type { EventStore } from '../../../lib/events/event-store.ts';
import { sequenceBefore } from '../../../lib/events/sequence-before.ts';
import type { LogId, LoggedEvent } from '../../../lib/events/store-event.ts';

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
    for (const event of page.events) {
      yield event;
      last = event.sequence;
    }
    ({ hasMore } = page);
  }
}

/** Reads the events of a log that were recorded from one time until another one, in their order. */
export async function* eventsBetween(
  store: EventStore,
  log: LogId,
  sinceMs: number,
  untilMs: number,
): AsyncGenerator<LoggedEvent> {
  for await (const event of eventsAfter(store, log, await sequenceBefore(store, log, sinceMs))) {
    if (event.recordedAtMs > untilMs) return;
    yield event;
  }
}
