import { hash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { CartCheckout } from '../../../docs/clients/cart-checkout.mjs';
import { apiKeyId, isWellFormedApiKey } from '../../../lib/api-keys/api-key.ts';
import { unlessAborted } from '../../../lib/core/unless-aborted.ts';
import { generateSecret } from '../../../lib/webhooks/endpoint.ts';
import { signedHeaders } from '../../../lib/webhooks/signature.ts';
import { UsageError } from '../../command-line.ts';
import { LOCAL_FOLDER } from '../../local/stage-file.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action } from '../command.ts';
import { isoTime } from '../output.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';
import { API_KEY_VARIABLE, type LISTEN } from './commands.ts';
import { backoffMs, type FeedEvent, follow, type ListenState, stateSchema } from './follow.ts';

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

export const listen: Action<typeof LISTEN> = async ({ baseUrl, forwardTo, events, ...options }, context) => {
  const apiKey = keyOf(options.apiKey);
  const file = options.stateFile ?? defaultFile(baseUrl, apiKey);
  const state = openState(file);
  const { secret } = state;
  const { now, print, say } = context;
  const { random } = context.pauses;
  const stop = context.stopSignal();
  const sleep = (ms: number) => unlessAborted(context.pauses.sleep(ms), stop);
  const start = state.cursor === undefined ? 'the oldest event' : 'where it stopped';
  await print({ baseUrl, forwardTo, secret, stateFile: file }, [
    `Forwarding the events of ${baseUrl} to ${forwardTo}, from ${start}. Ctrl-C ends it.`,
    `Secret  ${secret}`,
  ]);
  const forward = async (event: FeedEvent): Promise<void> => {
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
  const client = new CartCheckout({ baseUrl, apiKey, retriesMax: 0 });
  const save = (next: ListenState): void => writePrivateFile(file, next);
  const dependencies = { types: events, client, forward, save, sleep, random, say, stop };
  await follow(state, dependencies).catch((error: unknown) => {
    if (error !== stop.reason) throw error;
  });
};
