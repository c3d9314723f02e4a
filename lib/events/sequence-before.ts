import type { StoredEvent } from './event-item.ts';
import type { EventStore } from './event-store.ts';
import type { LogId } from './store-event.ts';

/**
 * Finds the number before the first event of a log that is recent enough. Times and numbers increase together, so
 * this is a binary search, with one read for each step. TTL may have deleted some of the older events, in any order.
 *
 * @param old the number of an event that is not recent enough
 */
export const sequenceBefore = async (
  store: EventStore,
  log: LogId,
  isRecent: (event: StoredEvent) => boolean,
  old: number,
  signal?: AbortSignal,
): Promise<number> => {
  const last = await store.last(log, signal);
  if (!last || !isRecent(last)) return last?.sequence ?? old;
  let tooOld = old;
  let recent = last.sequence;
  while (recent - tooOld > 1) {
    const middle = Math.floor((tooOld + recent) / 2);
    // oxlint-disable-next-line no-await-in-loop -- a binary search
    const [event] = (await store.after(log, middle - 1, 1, signal)).events;
    // The event at or after the middle. A run starts only when all before it are too old.
    if (event?.startsRun && isRecent(event)) return event.sequence - 1;
    if (!event || isRecent(event)) recent = middle;
    else tooOld = event.sequence;
  }
  return tooOld;
};
