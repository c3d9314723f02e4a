import { OperatorError } from '../../operator-error.ts';
import type { FeedClient, FeedEvent, FeedRead } from './feed-client.ts';
import type { Forward, Forwarded } from './forward.ts';
import type { ListenState } from './listen-state.ts';

/** The dependencies of the follower. */
export interface FollowDeps {
  readonly feed: FeedClient;
  readonly forward: Forward;
  /** Stores the progress. */
  readonly save: (state: ListenState) => void;
  /** Ends early, without an error, when the follower must stop. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly reportForward: (event: FeedEvent, forwarded: Forwarded, retryInMs?: number) => Promise<void>;
  readonly reportTrouble: (sentence: string) => Promise<void>;
}

const POLL_MS = 2_000;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;

/** Exponential backoff: 1 s to 60 s, minus a random part of up to a fifth. */
const backoffMs = (failures: number, random: () => number): number =>
  Math.round(Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** (failures - 1)) * (1 - random() / 5));

/**
 * Forwards one event until the receiver accepts it.
 *
 * @returns `false` if the follower must stop first
 */
const forwardOne = async (event: FeedEvent, deps: FollowDeps, stop: AbortSignal): Promise<boolean> => {
  for (let failures = 0; !stop.aborted;) {
    const forwarded = await deps.forward(event);
    if (forwarded.isAccepted) {
      await deps.reportForward(event, forwarded);
      return true;
    }
    failures += 1;
    const waitMs = backoffMs(failures, deps.random);
    await deps.reportForward(event, forwarded, waitMs);
    await deps.sleep(waitMs);
  }
  return false;
};

/** The events of a page that were not forwarded before. */
const withoutForwarded = (events: readonly FeedEvent[], lastEventId: string | undefined) =>
  events.slice(events.findIndex(({ id }) => id === lastEventId) + 1);

/** Forwards a page. Returns the state after it, or `undefined` if the follower must stop first. */
const forwardPage = async (
  state: ListenState,
  { page }: Extract<FeedRead, { outcome: 'page' }>,
  types: ReadonlySet<string> | undefined,
  deps: FollowDeps,
  stop: AbortSignal,
): Promise<ListenState | undefined> => {
  for (const event of withoutForwarded(page.events, state.lastEventId)) {
    if (types && !types.has(event.type)) continue;
    if (!(await forwardOne(event, deps, stop))) return undefined;
    deps.save({ ...state, lastEventId: event.id });
  }
  const behind = { secret: state.secret, cursor: page.cursor };
  if (page.cursor !== state.cursor) deps.save(behind);
  return behind;
};

/**
 * Follows a feed, and forwards each of its events in order until the receiver accepts it. If this process dies, the next
 * one repeats at most one event.
 *
 * @param types the types to forward. Default: all
 * @param stop ends the follower after the attempt in flight
 * @throws OperatorError if the stage rejects the key
 */
export const follow = async (
  start: ListenState,
  types: ReadonlySet<string> | undefined,
  deps: FollowDeps,
  stop: AbortSignal,
): Promise<void> => {
  let state = start;
  let failures = 0;
  while (!stop.aborted) {
    const read = await deps.feed.read(state.cursor, stop);
    if (stop.aborted) return;
    failures = read.outcome === 'unavailable' ? failures + 1 : 0;
    if (read.outcome === 'page') {
      const next = await forwardPage(state, read, types, deps, stop);
      if (!next) return;
      state = next;
      // A missing number ends a page early, and may leave it empty.
      if (read.page.hasMore && read.page.events.length > 0) continue;
      await deps.sleep(Math.round(POLL_MS * (0.9 + deps.random() / 5)));
    } else if (read.outcome === 'limited') {
      await deps.sleep(read.retryAfterMs);
    } else if (read.outcome === 'lost') {
      await deps.reportTrouble(
        `The stage rejects the stored position (${read.reason}). Some events may be missing. The command continues with the oldest event that the stage keeps.`,
      );
      state = { secret: state.secret };
      deps.save(state);
    } else if (read.outcome === 'rejected') {
      throw new OperatorError(`The stage rejects the request: ${read.reason}.`);
    } else {
      if (failures === 1)
        await deps.reportTrouble(`The stage is unavailable: ${read.reason}. The command retries.`);
      await deps.sleep(backoffMs(failures, deps.random));
    }
  }
};
