import { hash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import * as z from 'zod/mini';
import { CartCheckout, CartCheckoutError } from '../../../docs/clients/cart-checkout.mjs';
import { apiKeyId, isWellFormedApiKey } from '../../../lib/api-keys/api-key.ts';
import type { Pauses } from '../../../lib/core/retry.ts';
import { unlessAborted } from '../../../lib/core/unless-aborted.ts';
import { generateSecret } from '../../../lib/webhooks/endpoint.ts';
import { signedHeaders } from '../../../lib/webhooks/signature.ts';
import { UsageError } from '../../command-line.ts';
import { LOCAL_FOLDER } from '../../local/stage-file.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action, HostContext } from '../command.ts';
import { isoTime } from '../output.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';
import { API_KEY_VARIABLE, type LISTEN } from './commands.ts';

/** The stored state. */
const stateSchema = z.object({
  /** Signs the forwarded events: `whsec_` and base64. */
  secret: z.string(),
  /** Everything before it was forwarded. */
  cursor: z.optional(z.string()),
  /** The last event after the cursor that was forwarded, if the page was not finished. */
  lastEventId: z.optional(z.string()),
});

type ListenState = Readonly<z.output<typeof stateSchema>>;

/** A place in the feed. */
type Place = Omit<ListenState, 'secret'>;

type FeedEvent = Awaited<ReturnType<CartCheckout['listEvents']>>['events'][number];

const PAGE_EVENTS = 100;
const POLL_MS = 2_000;
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;

/** An operator may refill the key meanwhile, and a timer holds 24 days at most. */
const RETRY_AFTER_MAX_SECONDS = 3_600;

/** Exponential backoff: 1 s to 60 s, minus a random part of up to a fifth. */
const backoffMs = (failures: number, random: () => number): number =>
  Math.round(Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** (failures - 1)) * (1 - random() / 5));

/** The default file of one stage and one key. Its name does not reveal the key. */
const defaultFile = (baseUrl: string, apiKey: string): string => {
  const name = hash('sha256', `${baseUrl}\n${apiKeyId(apiKey)}`).slice(0, 24);
  return join(LOCAL_FOLDER, 'listen', `${name}.json`);
};

/**
 * Reads the state, or begins a new one.
 *
 * @throws OperatorError if the file cannot be read or written
 */
const openState = (file: string): ListenState => {
  const stored = readPrivateFile(file);
  const state = stored === null ? { secret: generateSecret() } : stateSchema.safeParse(stored).data;
  if (!state) {
    throw new OperatorError(
      `The state of \`listen\` in ${file} cannot be read: delete the file. The next run creates a new secret, and starts with the oldest event.`,
    );
  }
  if (stored === null) writePrivateFile(file, state);
  return state;
};

/** The API key of the options or the environment. Commander's own rejection of an option would repeat it. */
const keyOf = (apiKey = process.env[API_KEY_VARIABLE]): string => {
  if (apiKey === undefined || apiKey === '')
    throw new UsageError(`The API key is missing: set ${API_KEY_VARIABLE}.`);
  if (isWellFormedApiKey(apiKey)) return apiKey;
  throw new UsageError(`${API_KEY_VARIABLE} or --api-key is not an API key: copy the whole key again.`);
};

/** The time limit of a webhook delivery. */
const TIMEOUT_MS = 10_000;

const failureOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response within 10 s';
  const code = ((error as Error).cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'no connection';
};

/**
 * Sends an event as a webhook delivery does: signed, with the same headers, and without redirects. Returns the status of the
 * response, or the reason why there is none.
 */
const post = async (url: string, event: FeedEvent, secret: string, nowMs: number) => {
  const body = JSON.stringify(event);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(event.id, body, { secret }, nowMs),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return failureOf(error);
  }
};

/** A running command. `sleep` rejects when `stop` aborts. */
interface Session extends Pick<HostContext, 'now' | 'print' | 'say'>, Pauses {
  readonly client: CartCheckout;
  readonly forwardTo: string;
  readonly secret: string;
  /** The types to forward. Default: all */
  readonly types: readonly string[] | undefined;
  /** Stores the progress. */
  readonly save: (place: Place) => void;
  /** Ends the command after the attempt in flight. */
  readonly stop: AbortSignal;
}

/** Forwards an event until the receiver accepts it. */
const forward = async (event: FeedEvent, session: Session): Promise<void> => {
  const { forwardTo, secret, now, print, sleep, random, stop } = session;
  const { id: eventId, type } = event;
  for (let failures = 1; ; failures += 1) {
    stop.throwIfAborted();
    const startedMs = performance.now();
    const result = await post(forwardTo, event, secret, now());
    const ms = Math.round(performance.now() - startedMs);
    const accepted = typeof result === 'number' && result >= 200 && result < 300;
    const retryInMs = accepted ? undefined : backoffMs(failures, random);
    const retry = retryInMs === undefined ? '' : `, next attempt in ${(retryInMs / 1_000).toFixed(1)} s`;
    const at = isoTime(now());
    await print({ at, eventId, type, result, accepted, ms, retryInMs }, [
      `${at}  ${type}  ${eventId}  ${result}  ${ms} ms${retry}`,
    ]);
    if (retryInMs === undefined) return;
    await sleep(retryInMs);
  }
};

/**
 * Waits after a failed read.
 *
 * @param failures the number of failed reads in a row, from 1. A 429 counts as none
 * @returns the place from which to continue
 * @throws OperatorError if the stage rejects the key or the whole request
 */
const recover = async (
  error: CartCheckoutError,
  failures: number,
  place: Place,
  { say, save, sleep, random }: Session,
): Promise<Place> => {
  const { status, message, retryable, retryAfterSeconds } = error;
  if (status === 422 && place.cursor !== undefined) {
    say(
      `The stage rejects the stored position (${message}). Some events may be missing. The command continues with the oldest event that the stage keeps.`,
    );
    save({});
    return {};
  }
  if (status === 404) {
    throw new OperatorError('The stage has no feed of events: check --base-url, or deploy it again.');
  }
  if (!retryable) throw new OperatorError(`The stage rejects the request: ${message}.`);
  if (failures === 1) say(`The stage is unavailable: ${message}. The command retries.`);
  const limitedSeconds = Math.min(Math.max(retryAfterSeconds, 1), RETRY_AFTER_MAX_SECONDS);
  await sleep(status === 429 ? 1_000 * limitedSeconds : backoffMs(failures, random));
  return place;
};

/**
 * Follows the feed, and forwards each of its events in order until the receiver accepts it. If this process dies, the next one
 * repeats at most one event.
 *
 * @throws OperatorError if the stage rejects the key, or the reason of `stop` when that aborts
 */
const follow = async (start: Place, session: Session): Promise<never> => {
  const { client, types, save, sleep, random, stop } = session;
  let place = start;
  for (let failures = 0; ;) {
    try {
      const options = { after: place.cursor, limit: PAGE_EVENTS };
      const { events, cursor, hasMore } = await unlessAborted(client.listEvents(options), stop);
      if (!Array.isArray(events))
        throw new CartCheckoutError('UNEXPECTED_RESPONSE', 'The response is not a page of events', {});
      failures = 0;
      const forwarded = events.findIndex(({ id }) => id === place.lastEventId) + 1;
      for (const event of events.slice(forwarded)) {
        if (types && !types.includes(event.type)) continue;
        await forward(event, session);
        save({ ...place, lastEventId: event.id });
      }
      if (cursor !== place.cursor) save({ cursor });
      place = { cursor };
      // A missing number ends a page early, and may leave it empty.
      if (!hasMore || events.length === 0) await sleep(Math.round(POLL_MS * (0.9 + random() / 5)));
    } catch (error) {
      if (!(error instanceof CartCheckoutError)) throw error;
      failures = error.status === 429 ? 0 : failures + 1;
      place = await recover(error, failures, place, session);
    }
  }
};

export const listen: Action<typeof LISTEN> = async ({ baseUrl, forwardTo, events, ...options }, context) => {
  const apiKey = keyOf(options.apiKey);
  const file = options.stateFile ?? defaultFile(baseUrl, apiKey);
  const { secret, ...place } = openState(file);
  const { random, sleep } = context.pauses;
  const stop = context.stopSignal();
  const start = place.cursor === undefined ? 'the oldest event' : 'where it stopped';
  await context.print({ baseUrl, forwardTo, secret, stateFile: file }, [
    `Forwarding the events of ${baseUrl} to ${forwardTo}, from ${start}. Ctrl-C ends it.`,
    `Secret  ${secret}`,
  ]);
  const session: Session = {
    ...context,
    client: new CartCheckout({ baseUrl, apiKey, retriesMax: 0 }),
    forwardTo,
    secret,
    types: events,
    save: (next) => writePrivateFile(file, { secret, ...next }),
    sleep: (ms) => unlessAborted(sleep(ms), stop),
    random,
    stop,
  };
  await follow(place, session).catch((error: unknown) => {
    if (error !== stop.reason) throw error;
  });
};
