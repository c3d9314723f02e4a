import type { EventPlace, EventStore } from './event-store.ts';
import type { LogId } from './store-event.ts';

/** A range of at most this many numbers is read as a whole: about 20 read units. */
const READ_AT_ONCE = 100;

/** Half the distance of the two reads around a guess, as a share of the range. */
const GUESS_MARGIN = 1 / 64;

/**
 * The numbers to read in a round. If a store's events come evenly, two of them enclose the time, and leave a 32nd of the
 * range. The middle leaves at most half of it.
 */
const probesBetween = (low: EventPlace, high: EventPlace, timeMs: number): number[] => {
  const range = high.sequence - low.sequence;
  const guess = (range * (timeMs - low.recordedAtMs)) / (high.recordedAtMs - low.recordedAtMs);
  const offsets = [guess - range * GUESS_MARGIN, range / 2, guess + range * GUESS_MARGIN];
  return [...new Set(offsets.map(Math.floor))]
    .filter((offset) => offset > 0 && offset < range)
    .toSorted((a, b) => a - b)
    .map((offset) => low.sequence + offset);
};

/**
 * Finds the number before the first event of a log that was recorded at a time or later. Times and numbers increase
 * together, so this is a search in rounds of three reads. TTL may have deleted some of the older events, in any order.
 *
 * @param timeMs for a time of more than 31 days ago, it may pass over old events that TTL has not deleted yet
 */
export const sequenceBefore = async (
  store: EventStore,
  log: LogId,
  timeMs: number,
  signal?: AbortSignal,
): Promise<number> => {
  const isOld = ({ recordedAtMs }: EventPlace): boolean => recordedAtMs < timeMs;
  const [[first], last] = await Promise.all([store.placesAfter(log, 0, 1, signal), store.last(log, signal)]);
  if (!first || !last || !isOld(first)) return first ? first.sequence - 1 : 0;
  if (isOld(last)) return last.sequence;
  let low: EventPlace = first;
  let high: EventPlace = last;
  while (high.sequence - low.sequence > READ_AT_ONCE) {
    const reads = probesBetween(low, high, timeMs).map(async (probe) => ({
      probe,
      place: (await store.placesAfter(log, probe - 1, 1, signal))[0],
    }));
    // oxlint-disable-next-line no-await-in-loop -- a round searches the range that the last one left
    for (const { probe, place = high } of await Promise.all(reads)) {
      // A run starts only when all before it are too old.
      if (place.startsRun && !isOld(place)) return place.sequence - 1;
      if (!isOld(place)) {
        high = { ...place, sequence: probe };
        break;
      }
      low = place;
    }
  }
  const rest = await store.placesAfter(log, low.sequence, READ_AT_ONCE, signal);
  return (rest.findLast(isOld) ?? low).sequence;
};
