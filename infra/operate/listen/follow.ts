import * as z from 'zod/mini';
import { type CartCheckout, CartCheckoutError } from '../../../docs/clients/cart-checkout.mjs';
import type { Pauses } from '../../../lib/core/retry.ts';
import { unlessAborted } from '../../../lib/core/unless-aborted.ts';
import { OperatorError } from '../../operator-error.ts';
import type { HostContext } from '../command.ts';

/** The stored state of `listen`. */
export const stateSchema = z.object({
  /** Signs the forwarded events: `whsec_` and base64. */
  secret: z.string(),
  /** Everything before it was forwarded. */
  cursor: z.optional(z.string()),
  /** The last event after the cursor that was forwarded, if the page was not finished. */
  lastEventId: z.optional(z.string()),
});

export type ListenState = Readonly<z.output<typeof stateSchema>>;

export type FeedEvent = Awaited<ReturnType<CartCheckout['listEvents']>>['events'][number];

/** The dependencies of the follower. `sleep` rejects when `stop` aborts. */
interface FollowDeps extends Pick<HostContext, 'say'>, Pauses {
  /** The types to forward. Default: all */
  readonly types: readonly string[] | undefined;
  readonly client: CartCheckout;
  /** Forwards an event until the receiver accepts it. */
  readonly forward: (event: FeedEvent) => Promise<void>;
  /** Stores the progress. */
  readonly save: (state: ListenState) => void;
  /** Ends the follower after the attempt in flight. */
  readonly stop: AbortSignal;
}

const PAGE_EVENTS = 100;
const POLL_MS = 2_000;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
const RETRY_AFTER_MAX_SECONDS = 3_600;

/** Exponential backoff: 1 s to 60 s, minus a random part of up to a fifth. */
export const backoffMs = (failures: number, random: () => number): number =>
  Math.round(Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** (failures - 1)) * (1 - random() / 5));

/** The page of events after a cursor, or the error of the client. */
const readPage = async (cursor: string | undefined, { client }: FollowDeps) => {
  try {
    const page = await client.listEvents({ after: cursor, limit: PAGE_EVENTS });
    if (Array.isArray(page.events)) return page;
    return new CartCheckoutError('UNEXPECTED_RESPONSE', 'The response is not a page of events', {});
  } catch (error) {
    if (error instanceof CartCheckoutError) return error;
    throw error;
  }
};

/**
 * Waits after a failed read.
 *
 * @param failures the number of failed reads in a row, from 1
 * @returns the state with which to continue
 * @throws OperatorError if the stage rejects the key or the whole request
 */
const recover = async (
  error: CartCheckoutError,
  failures: number,
  state: ListenState,
  { say, save, sleep, random }: FollowDeps,
): Promise<ListenState> => {
  const { status, message, retryable, retryAfterSeconds } = error;
  if (status === 422 && state.cursor !== undefined) {
    say(
      `The stage rejects the stored position (${message}). Some events may be missing. The command continues with the oldest event that the stage keeps.`,
    );
    const anew = { secret: state.secret };
    save(anew);
    return anew;
  }
  if (status === 404) {
    throw new OperatorError('The stage has no feed of events: check --base-url, or deploy it again.');
  }
  if (!retryable) throw new OperatorError(`The stage rejects the request: ${message}.`);
  if (status === 429) {
    await sleep(1_000 * Math.min(Math.max(retryAfterSeconds, 1), RETRY_AFTER_MAX_SECONDS));
    return state;
  }
  if (failures === 1) say(`The stage is unavailable: ${message}. The command retries.`);
  await sleep(backoffMs(failures, random));
  return state;
};

/**
 * Follows a feed, and forwards each of its events in order until the receiver accepts it. If this process dies, the next
 * one repeats at most one event.
 *
 * @throws OperatorError if the stage rejects the key, or the reason of `stop` when that aborts
 */
export const follow = async (start: ListenState, deps: FollowDeps): Promise<never> => {
  const { types, forward, save, sleep, random, stop } = deps;
  let state = start;
  for (let failures = 0; ;) {
    const page = await unlessAborted(readPage(state.cursor, deps), stop);
    stop.throwIfAborted();
    failures = page instanceof CartCheckoutError && page.status !== 429 ? failures + 1 : 0;
    if (page instanceof CartCheckoutError) {
      state = await recover(page, failures, state, deps);
      continue;
    }
    const { events, cursor, hasMore } = page;
    const forwarded = events.findIndex(({ id }) => id === state.lastEventId) + 1;
    for (const event of events.slice(forwarded)) {
      if (types && !types.includes(event.type)) continue;
      await forward(event);
      save({ ...state, lastEventId: event.id });
    }
    if (cursor !== state.cursor) save({ secret: state.secret, cursor });
    state = { secret: state.secret, cursor };
    // A missing number ends a page early, and may leave it empty.
    if (!hasMore || events.length === 0) await sleep(Math.round(POLL_MS * (0.9 + random() / 5)));
  }
};
