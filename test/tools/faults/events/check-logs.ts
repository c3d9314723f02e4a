import { logKey } from '../../../../lib/events/store-event.ts';
import type { EventsHistory, LogHistory } from './history.ts';
import type { BrokenRule } from './rules.ts';

/** The first place at which two lists differ. */
const firstDifference = (actual: readonly string[], expected: readonly string[]): string | undefined => {
  const length = Math.max(actual.length, expected.length);
  const index = Array.from({ length }).findIndex((_, at) => actual[at] !== expected[at]);
  return index === -1
    ? undefined
    : `at ${index} of ${expected.length}: ${actual[index] ?? 'nothing'} instead of ${expected[index] ?? 'nothing'}`;
};

const checkLog = ({ log, stored, feed, followed, surprises }: LogHistory): BrokenRule[] => {
  const name = logKey(log);
  const ids = stored.map(({ id }) => id);
  const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);
  const later = stored.slice(1).map((event, index) => ({ event, before: stored[index]! }));
  const counts = Map.groupBy(idsOf(followed), (id) => id);
  const readers = [
    ['the feed has each stored event once, in its order', firstDifference(idsOf(feed), ids)],
    ['a reader who follows the cursor gets each event exactly once', firstDifference(idsOf(followed), ids)],
  ] as const;
  return [
    ...later
      .filter(({ event, before }) => event.sequence !== before.sequence + 1)
      .map(({ event, before }) => ({
        rule: 'the numbers of a log are dense',
        detail: `${name}: ${event.sequence} follows ${before.sequence}`,
      })),
    ...later
      .filter(({ event, before }) => event.recordedAtMs <= before.recordedAtMs)
      .map(({ event }) => ({
        rule: 'the timestamps of a log increase',
        detail: `${name}: event ${event.sequence}`,
      })),
    ...readers.flatMap(([rule, detail]) =>
      detail === undefined ? [] : [{ rule, detail: `${name}: ${detail}` }],
    ),
    ...[...counts]
      .filter(([, { length }]) => length > 1)
      .map(([id, { length }]) => ({
        rule: 'a reader who follows the cursor gets each event exactly once',
        detail: `${name}: ${id} ${length} times`,
      })),
    ...ids
      .filter((id) => !counts.has(id))
      .map((id) => ({
        rule: 'a reader who follows the cursor gets each event exactly once',
        detail: `${name}: ${id} never`,
      })),
    ...surprises.map((detail) => ({ rule: 'the feed rejects no cursor of its own', detail })),
  ];
};

/** Checks the logs, and what readers got of them. */
export const checkLogs = ({ logs }: EventsHistory): BrokenRule[] => logs.flatMap(checkLog);
