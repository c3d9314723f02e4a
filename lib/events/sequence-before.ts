import type { EventPlace, EventStore } from './event-store.ts';
import type { LogId } from './store-event.ts';

/** Reads at once. Each round leaves a quarter of the range: 10 rounds for a million numbers, where single reads take 20. */
const PROBES = 3;

/** Numbers that divide a range into equal parts, without its ends. */
const probesBetween = (low: number, high: number): number[] => {
  const part = (high - low) / (PROBES + 1);
  const probes = Array.from({ length: PROBES }, (_, index) => Math.floor(low + (index + 1) * part));
  return [...new Set(probes)].filter((probe) => probe > low);
};

/**
 * Finds the number before the first event of a log that is recent enough. Times and numbers increase together, so
 * this is a search in rounds, with a few reads at once. TTL may have deleted some of the older events, in any order.
 *
 * @param old the number of an event that is not recent enough
 */
export const sequenceBefore = async (
  store: EventStore,
  log: LogId,
  isRecent: (event: EventPlace) => boolean,
  old: number,
  signal?: AbortSignal,
): Promise<number> => {
  const last = await store.last(log, signal);
  if (!last || !isRecent(last)) return last?.sequence ?? old;
  let tooOld = old;
  let recent = last.sequence;
  while (recent - tooOld > 1) {
    const reads = probesBetween(tooOld, recent).map(async (probe) => ({
      probe,
      place: await store.placeAfter(log, probe - 1, signal),
    }));
    // oxlint-disable-next-line no-await-in-loop -- a round searches the range that the last one left
    for (const { probe, place } of await Promise.all(reads)) {
      // A run starts only when all before it are too old.
      if (place?.startsRun && isRecent(place)) return place.sequence - 1;
      if (!place || isRecent(place)) {
        recent = probe;
        break;
      }
      tooOld = place.sequence;
    }
  }
  return tooOld;
};
