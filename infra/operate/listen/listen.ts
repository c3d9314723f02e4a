import { hash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { CartCheckout, CartCheckoutError } from 'cart-checkout-client';
import * as z from 'zod/mini';
import { apiKeyId, isWellFormedApiKey } from '../../../lib/api-keys/api-key.ts';
import { type Pauses, retry } from '../../../lib/core/retry.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { unlessAborted } from '../../../lib/core/unless-aborted.ts';
import { generateSecret } from '../../../lib/endpoints/signing-secret.ts';
import { LOCAL_FOLDER } from '../../core/project.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import { LISTEN_USER_AGENT } from '../../local-access/listen-user-agent.ts';
import { readRunningStage } from '../../local-access/running-stage.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import type { HostContext } from '../frame/context.ts';
import { readStateFile, writeStateFile } from '../shared/state-file.ts';
import { API_KEY_VARIABLE, isOnThisMachine, type LISTEN } from './commands.ts';
import { post } from './post.ts';

/** The stored state. */
const stateSchema = z.object({
  /** Signs the forwarded events: `whsec_` and base64. */
  secret: z.string(),
  /** Everything before it was forwarded. */
  cursor: z.optional(z.string()),
  /** The last event after the cursor that was forwarded, if the page was not finished. */
  lastEventId: z.optional(z.string()),
  /** Earlier events are not wanted. */
  sinceMs: z.optional(z.number()),
});

type ListenState = Readonly<z.output<typeof stateSchema>>;

/** A place in the feed. */
type Place = Omit<ListenState, 'secret'>;

type FeedPage = Awaited<ReturnType<CartCheckout['listEvents']>>;

type FeedEvent = FeedPage['events'][number];

/** A page. `cursor` is where the next page begins. Without it, that is the oldest event. */
type Page = Omit<FeedPage, 'cursor'> & Pick<Place, 'cursor'>;

/** Where the local stage listens, if its data is not the default. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';

const PAGE_EVENTS = 100;
const POLL_MS = 2_000;
const BACK_OFF = { firstMs: 1_000, maxMs: 60_000 };

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
  const stored = readStateFile(file);
  const state = stored === null ? { secret: generateSecret() } : stateSchema.safeParse(stored).data;
  if (!state) {
    throw new OperatorError(
      `The state of \`listen\` in ${file} cannot be read: delete the file. The next run creates a new secret.`,
    );
  }
  if (stored === null) writeStateFile(file, state);
  return state;
};

/** The stage and the key of the command line and the environment. The default is the local stage, with its first demo key. */
const stageOf = async (
  given: string | undefined,
): Promise<{ readonly baseUrl: string; readonly apiKey: string }> => {
  const baseUrl = given ?? (await readRunningStage())?.baseUrl ?? DEFAULT_BASE_URL;
  const demoKeys = DEMO_STORES.map(({ apiKey }) => apiKey);
  const [demoKey = ''] = demoKeys;
  const apiKey = process.env[API_KEY_VARIABLE]?.trim() ?? (isOnThisMachine(baseUrl) ? demoKey : '');
  if (!isWellFormedApiKey(apiKey)) {
    throw new UsageError(`${API_KEY_VARIABLE} has no API key: set it to the whole key.`);
  }
  // The program at the default address may be another one.
  if (given === undefined && !demoKeys.includes(apiKey)) {
    throw new UsageError(`${API_KEY_VARIABLE} has a key of another stage: name the stage with --base-url.`);
  }
  return { baseUrl, apiKey };
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
  const { forwardTo, secret, now, print, stop } = session;
  const { id: eventId, type } = event;
  const attempt = async (): Promise<true | undefined> => {
    stop.throwIfAborted();
    const startedMs = performance.now();
    const { result, accepted, reason } = await post(forwardTo, event, secret, now());
    const ms = Math.round(performance.now() - startedMs);
    const at = isoTime(now());
    await print({ at, eventId, type, method: 'POST', result, accepted, ms, reason }, [
      `${at}  ${type}  ${eventId}  POST ${result}  ${ms} ms${accepted ? '' : ', retrying'}${reason ? `: ${reason}` : ''}`,
    ]);
    return accepted || undefined;
  };
  await retry(attempt, { ...BACK_OFF, pauses: session });
};

/**
 * Reads a page of the feed. Retries without end while the stage does not respond.
 *
 * @throws OperatorError if the stage rejects the key or the whole request
 */
const readPage = async ({ cursor: after }: Place, session: Session): Promise<Page> => {
  const { client, say, sleep, stop } = session;
  const attempt = async (nth: number): Promise<Page | undefined> => {
    try {
      return await unlessAborted(client.listEvents({ after, limit: PAGE_EVENTS }), stop);
    } catch (error) {
      if (!(error instanceof CartCheckoutError)) throw error;
      const { status, message, retryable, retryAfterSeconds } = error;
      if (status === 422 && after !== undefined) {
        say(
          `The stage rejects the stored position (${message}). Some events may be missing. The command continues with the oldest event that the stage keeps.`,
        );
        return { events: [], cursor: undefined, hasMore: true };
      }
      if (!retryable)
        throw new OperatorError(`The stage rejects the request: ${message.replace(/\.$/, '')}.`);
      if (nth === 1) say(`The stage cannot be read: ${message.replace(/\.$/, '')}. The command retries.`);
      // An operator may refill the key meanwhile, and a timer holds 24 days at most.
      await sleep(1_000 * Math.min(retryAfterSeconds, 3_600));
      return undefined;
    }
  };
  return (await retry(attempt, { ...BACK_OFF, pauses: session })) as Page;
};

/**
 * Reads the feed to its end, without forwarding.
 *
 * @returns the place behind the newest event
 */
const findEnd = async (session: Session): Promise<Place> => {
  for (let place: Place = {}; ;) {
    const { events, cursor, hasMore } = await readPage(place, session);
    place = { cursor };
    if (!hasMore || events.length === 0) return place;
  }
};

/**
 * Follows the feed, and forwards each of its events in order until the receiver accepts it. If this process dies, the next one
 * repeats at most one event.
 *
 * @throws OperatorError if the stage rejects the key, or the reason of `stop` when that aborts
 */
const follow = async (start: Place, session: Session): Promise<never> => {
  const { types, save, sleep, random } = session;
  const { sinceMs = -Infinity } = start;
  for (let place = start; ;) {
    const { events, cursor, hasMore } = await readPage(place, session);
    const forwarded = events.findIndex(({ id }) => id === place.lastEventId) + 1;
    for (const event of events.slice(forwarded)) {
      if (types && !types.includes(event.type)) continue;
      if (Date.parse(event.timestamp) < sinceMs) continue;
      await forward(event, session);
      save({ ...place, lastEventId: event.id });
    }
    const next = { cursor, sinceMs: start.sinceMs };
    if (cursor !== place.cursor) save(next);
    place = next;
    // A missing number ends a page early, and may leave it empty.
    if (!hasMore || events.length === 0) await sleep(Math.round(POLL_MS * (0.9 + random() / 5)));
  }
};

const fetchAsListen: NonNullable<ConstructorParameters<typeof CartCheckout>[0]['fetch']> = (url, request) =>
  fetch(url, { ...request, headers: { ...request.headers, 'User-Agent': LISTEN_USER_AGENT } });

export const listen: Action<typeof LISTEN> = async (options, context) => {
  const { forwardTo, events: types, since: sinceMs, resume, stateFile } = options;
  const { baseUrl, apiKey } = await stageOf(options.baseUrl);
  const file = stateFile ?? defaultFile(baseUrl, apiKey);
  const { secret, ...stored } = openState(file);
  const { random, sleep } = context.pauses;
  const stop = context.stopSignal();
  const session: Session = {
    ...context,
    client: new CartCheckout({ baseUrl, apiKey, retriesMax: 0, fetch: fetchAsListen }),
    forwardTo,
    secret,
    types,
    save: (next) => writeStateFile(file, { secret, ...next }),
    sleep: (ms) => unlessAborted(sleep(ms), stop),
    random,
    stop,
  };
  const start = async (): Promise<readonly [Place, string]> => {
    if (sinceMs !== undefined) return [{ sinceMs }, `since ${isoTime(sinceMs)}`];
    if (resume && (stored.cursor ?? stored.sinceMs) !== undefined)
      return [stored, 'from where the last run stopped'];
    return [await findEnd(session), 'from now on'];
  };
  const run = async (): Promise<never> => {
    const [place, words] = await start();
    session.save(place);
    await context.print({ baseUrl, forwardTo, secret, stateFile: file }, [
      `Forwarding the events of ${baseUrl} to ${forwardTo}, ${words}. Ctrl-C ends it.`,
      `Secret  ${secret}`,
    ]);
    return follow(place, session);
  };
  await run().catch((error: unknown) => {
    if (error !== stop.reason) throw error;
  });
};
