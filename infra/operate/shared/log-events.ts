import type { LogEntry } from '../../../lib/events/event-item.ts';
import type { EventRepository } from '../../../lib/events/event-repository.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';

const PAGE_EVENTS = 100;

/**
 * The first entry of a log that was recorded at a time or later. Finds it by binary search: of a million events, in 20 short reads.
 *
 * @param last the number of the last event
 */
const firstSince = async (
  repository: EventRepository,
  storeMode: StoreMode,
  timeMs: number,
  last: number,
): Promise<LogEntry | undefined> => {
  let first: LogEntry | undefined;
  // All events up to `low` are older, and the next one above `high` is not.
  let low = 0;
  let high = last;
  // The first read finds the oldest event. Halving down to it would take 40, because its number is a time in milliseconds.
  for (let middle = low; low < high; middle = Math.floor((low + high) / 2)) {
    const [next] = (await repository.after(storeMode, middle, 1)).entries;
    if (next && next.recordedAtMs < timeMs) {
      low = next.sequence;
    } else {
      high = middle;
      first = next;
    }
  }
  return first;
};

/** Reads the entries of a log that were recorded from a time until now, in their order. */
export async function* entriesSince(
  repository: EventRepository,
  storeMode: StoreMode,
  sinceMs: number,
): AsyncGenerator<LogEntry> {
  const last = await repository.last(storeMode);
  const first = last && (await firstSince(repository, storeMode, sinceMs, last.sequence));
  if (!first) return;
  for (let after = first.sequence - 1; after < last.sequence;) {
    const { entries } = await repository.after(storeMode, after, PAGE_EVENTS);
    yield* entries.filter(({ sequence }) => sequence <= last.sequence);
    after = entries.at(-1)?.sequence ?? last.sequence;
  }
}

/** Reads the events of {@link entriesSince}. */
export async function* eventsSince(...since: Parameters<typeof entriesSince>): AsyncGenerator<LoggedEvent> {
  for await (const { event } of entriesSince(...since)) if (event) yield event;
}
