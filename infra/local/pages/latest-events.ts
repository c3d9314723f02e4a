import type { LogId, LoggedEvent } from '../../../lib/events/logged-event.ts';
import type { PageRepositories } from './page-repositories.ts';

/**
 * Reads the latest events of a log, the oldest first.
 *
 * @param eventsMax the most entries of the log to read
 */
export const readLatestEvents = async (
  log: LogId,
  eventsMax: number,
  { events }: Pick<PageRepositories, 'events'>,
): Promise<readonly LoggedEvent[]> => {
  const last = await events.last(log);
  if (!last) return [];
  const found: LoggedEvent[] = [];
  // A page has at most 1 MB. It begins with the oldest events.
  for (let after = Math.max(0, last.sequence - eventsMax); after < last.sequence;) {
    const page = await events.after(log, after, eventsMax);
    found.push(...page.events);
    after = page.entries.at(-1)?.sequence ?? last.sequence;
  }
  return found;
};
