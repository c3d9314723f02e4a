import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventPlace, EventStore } from '../../../lib/events/event-store.ts';
import { sequenceBefore } from '../../../lib/events/sequence-before.ts';

const LOG = { storeId: 'store-1', mode: 'live' } as const;

const DAY_MS = 86_400_000;

/** A run starts when all events before it are this old. */
const RUN_AFTER_MS = 31 * DAY_MS;

/** Events in a row with the same time between them. Logs of writers without a common clock had equal times. */
const row = fc.record({
  count: fc.integer({ min: 1, max: 300 }),
  stepMs: fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 3_600_000 })),
});

const run = fc.record({
  pauseMs: fc.integer({ min: 1, max: 40 * DAY_MS }),
  rows: fc.array(row, { minLength: 1, maxLength: 4 }),
});

type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

/** The places of the events in a log that TTL has not deleted: those for which `kept`, in turn, is true. */
const placesOf = (runs: readonly Run[], kept: readonly boolean[]): EventPlace[] => {
  const places: EventPlace[] = [];
  let recordedAtMs = Date.UTC(2026, 0, 1);
  for (const { pauseMs, rows } of runs) {
    recordedAtMs += RUN_AFTER_MS + pauseMs;
    let sequence = recordedAtMs - (recordedAtMs % DAY_MS);
    let startsRun = true;
    for (const { count, stepMs } of rows) {
      for (let event = 0; event < count; event += 1) {
        places.push({ sequence, recordedAtMs, startsRun });
        startsRun = false;
        sequence += 1;
        recordedAtMs += stepMs;
      }
    }
  }
  return places.filter((_, index) => kept[index % kept.length]);
};

const scenario = fc.record({
  places: fc
    .tuple(fc.array(run, { maxLength: 3 }), fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }))
    .map(([runs, kept]) => placesOf(runs, kept)),
  /** Selects the event near whose time the search begins. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  offsetMs: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -31 * DAY_MS, max: DAY_MS })),
});

/** A store in memory that counts its reads. */
const storeOf = (places: readonly EventPlace[]) => {
  const reads = { count: 0 };
  const store: Pick<EventStore, 'last' | 'placesAfter'> = {
    last: () => Promise.resolve(places.at(-1) as never),
    placesAfter: (_, after, limit) => {
      reads.count += 1;
      return Promise.resolve(places.filter(({ sequence }) => sequence > after).slice(0, limit));
    },
  };
  return { store: store as EventStore, reads };
};

/** Each round leaves half of the numbers of the longest log, of 300 days in milliseconds, at most: 3 reads in 28 rounds. */
const READS_MAX = 90;

it('finds the same first event as a linear search, in a log with gaps, runs and equal times', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ places, share, offsetMs }) => {
      const { store, reads } = storeOf(places);
      const near = places[Math.floor(share * (places.length - 1))]?.recordedAtMs ?? 0;
      const oldestMs = (places.at(-1)?.recordedAtMs ?? 0) - RUN_AFTER_MS;
      const timeMs = Math.max(near + offsetMs, oldestMs);

      const before = await sequenceBefore(store, LOG, timeMs);

      const found = places.find(({ sequence }) => sequence > before);
      expect(found).toStrictEqual(places.find(({ recordedAtMs }) => recordedAtMs >= timeMs));
      expect(reads.count).toBeLessThan(READS_MAX);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) },
  );
});
