import { logKey } from '../../../../lib/events/logged-event.ts';
import type { EventsHistory, LogHistory } from './history.ts';
import { type BrokenRule, listBroken } from '../history.ts';
import { LIMIT_MAX } from './reader.ts';

/** The first place at which two lists differ. */
const firstDifference = (actual: readonly string[], expected: readonly string[]): string | undefined => {
  const length = Math.max(actual.length, expected.length);
  const index = Array.from({ length }).findIndex((_, at) => actual[at] !== expected[at]);
  return index === -1
    ? undefined
    : `at ${index} of ${expected.length}: ${actual[index] ?? 'nothing'} instead of ${expected[index] ?? 'nothing'}`;
};

const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);

const checkLog = ({ log, stored, feed, followed, surprises }: LogHistory): BrokenRule[] => {
  const name = logKey(log);
  const later = stored.slice(1).map((event, index) => ({ event, before: stored[index]! }));
  const checkReader = (rule: string, events: LogHistory['followed']): BrokenRule[] => {
    const difference = firstDifference(idsOf(events), idsOf(stored));
    return listBroken(rule, [difference], (detail) => detail && `${name}: ${detail}`);
  };
  return [
    ...listBroken(
      'the numbers of a log are dense',
      later,
      ({ event, before }) =>
        event.sequence !== before.sequence + 1 && `${name}: ${event.sequence} follows ${before.sequence}`,
    ),
    ...listBroken(
      'the timestamps of a log increase',
      later,
      ({ event, before }) => event.recordedAtMs <= before.recordedAtMs && `${name}: event ${event.sequence}`,
    ),
    ...checkReader('the feed has each stored event once, in its order', feed.events),
    ...checkReader('a reader who follows the cursor gets each event exactly once', followed),
    ...listBroken(
      'a reader needs one request for each full page',
      [feed],
      ({ requests }) =>
        requests > Math.ceil(stored.length / LIMIT_MAX) + 1 && `${name}: ${requests} requests`,
    ),
    ...listBroken('the feed rejects no cursor of its own', surprises, (detail) => detail),
  ];
};

/** Checks the logs, and what readers got of them. */
export const checkLogs = ({ logs }: EventsHistory): BrokenRule[] => logs.flatMap(checkLog);
