import * as z from 'zod/mini';
import { OperatorError } from '../../operator-error.ts';
import type { HostContext } from '../command.ts';
import type { FeedEvent, FeedRead, ReadFeed } from './feed.ts';
import type { Forward, Forwarded } from './forward.ts';

/** The state of `listen` between its runs. */
export const stateSchema = z.object({
  /** Signs the forwarded events: `whsec_` and base64. */
  secret: z.string(),
  /** Everything before it was forwarded. */
  cursor: z.optional(z.string()),
  /** The last event after the cursor that was forwarded, if the page was not finished. */
  lastEventId: z.optional(z.string()),
});

export type ListenState = Readonly<z.output<typeof stateSchema>>;

/** The dependencies of the follower. */
export interface FollowDeps extends Pick<HostContext, 'say'> {
  /** The types to forward. Default: all */
  readonly types: ReadonlySet<string> | undefined;
  readonly read: ReadFeed;
  readonly forward: Forward;
  /** Stores the progress. */
  readonly save: (state: ListenState) => void;
  /** Ends early, without an error, when the follower must stop. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (event: FeedEvent, forwarded: Forwarded, retryInMs?: number) => Promise<void>;
  /** Ends the follower after the attempt in flight. */
  readonly stop: AbortSignal;
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
const forwardOne = async (event: FeedEvent, deps: FollowDeps): Promise<boolean> => {
  for (let failures = 1; !deps.stop.aborted; failures += 1) {
    const forwarded = await deps.forward(event);
    const waitMs = forwarded.isAccepted ? undefined : backoffMs(failures, deps.random);
    await deps.report(event, forwarded, waitMs);
    if (waitMs === undefined) return true;
    await deps.sleep(waitMs);
  }
  return false;
};

/** Forwards a page. Returns the state after it, or `undefined` if the follower must stop first. */
const forwardPage = async (
  state: ListenState,
  { events, cursor }: Extract<FeedRead, { outcome: 'page' }>['page'],
  deps: FollowDeps,
): Promise<ListenState | undefined> => {
  const forwarded = events.findIndex(({ id }) => id === state.lastEventId) + 1;
  for (const event of events.slice(forwarded)) {
    if (deps.types && !deps.types.has(event.type)) continue;
    if (!(await forwardOne(event, deps))) return undefined;
    deps.save({ ...state, lastEventId: event.id });
  }
  const behind = { secret: state.secret, cursor };
  if (cursor !== state.cursor) deps.save(behind);
  return behind;
};

/**
 * Follows a feed, and forwards each of its events in order until the receiver accepts it. If this process dies, the next
 * one repeats at most one event.
 *
 * @throws OperatorError if the stage rejects the key
 */
export const follow = async (start: ListenState, deps: FollowDeps): Promise<void> => {
  const { random, say, sleep, stop } = deps;
  let state = start;
  let failures = 0;
  while (!stop.aborted) {
    const read = await deps.read(state.cursor);
    if (stop.aborted) return;
    failures = read.outcome === 'unavailable' ? failures + 1 : 0;
    if (read.outcome === 'page') {
      const next = await forwardPage(state, read.page, deps);
      if (!next) return;
      state = next;
      // A missing number ends a page early, and may leave it empty.
      if (read.page.hasMore && read.page.events.length > 0) continue;
      await sleep(Math.round(POLL_MS * (0.9 + random() / 5)));
    } else if (read.outcome === 'limited') {
      await sleep(read.retryAfterMs);
    } else if (read.outcome === 'lost') {
      say(
        `The stage rejects the stored position (${read.reason}). Some events may be missing. The command continues with the oldest event that the stage keeps.`,
      );
      state = { secret: state.secret };
      deps.save(state);
    } else if (read.outcome === 'rejected') {
      throw new OperatorError(`The stage rejects the request: ${read.reason}.`);
    } else {
      if (failures === 1) say(`The stage is unavailable: ${read.reason}. The command retries.`);
      await sleep(backoffMs(failures, random));
    }
  }
};
