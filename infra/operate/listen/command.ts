import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isWellFormedApiKey } from '../../../lib/api-keys/api-key.ts';
import type { EventType } from '../../../lib/events/store-event.ts';
import { generateSecret } from '../../../lib/webhooks/endpoint.ts';
import { parseHttpUrl, printable, UsageError } from '../../command-line.ts';
import { parseEventTypes } from '../event-types.ts';
import { jsonCommand, type Host } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { createFeedClient } from './feed-client.ts';
import { follow, type FollowDeps } from './follow.ts';
import { createForward } from './forward.ts';
import { type ListenState, listenStateFile, readListenState, writeListenState } from './listen-state.ts';

interface ListenFlags {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly forwardTo: string;
  readonly events?: readonly EventType[];
  readonly stateFile?: string;
  readonly json?: true;
}

const API_KEY_VARIABLE = 'CART_CHECKOUT_API_KEY';

/** Reads the address of a receiver. It may have a query, but no user and no fragment. */
const parseForwardUrl = (text: string): string => {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url && isHttp && !url.username && !url.password && !url.hash) return url.href;
  throw new InvalidArgumentError('It must be an http(s) address without a user and a fragment.');
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Rejects http to another machine: the network could read the key. */
const parseBaseUrl = (text: string): string => {
  const baseUrl = parseHttpUrl(text);
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return baseUrl;
  throw new InvalidArgumentError('It must begin with https, unless the stage runs on this machine.');
};

/** Commander's own rejection of an argument would repeat the key. */
const assertApiKey = (apiKey: string): void => {
  if (isWellFormedApiKey(apiKey)) return;
  throw new UsageError(`${API_KEY_VARIABLE} or --api-key is not an API key: copy the whole key again.`);
};

const reportsOf = (
  host: Host,
  json: true | undefined,
): Pick<FollowDeps, 'reportForward' | 'reportTrouble'> => ({
  reportForward: ({ id, type }, { result, isAccepted, ms }, retryInMs) => {
    const line = { at: isoTime(host.now()), eventId: id, type, result, accepted: isAccepted, ms };
    const retry = retryInMs === undefined ? '' : `, next attempt in ${(retryInMs / 1_000).toFixed(1)} s`;
    return print(host, json, { ...line, retryInMs }, [
      printable(`${line.at}  ${type}  ${id}  ${result}  ${ms} ms${retry}`),
    ]);
  },
  reportTrouble: async (sentence) => void host.stderr.write(`${printable(sentence)}\n`),
});

const startingState = (file: string): ListenState => {
  const stored = readListenState(file);
  if (stored) return stored;
  const state = { secret: generateSecret() };
  writeListenState(file, state);
  return state;
};

const listen = async (host: Host, flags: ListenFlags): Promise<void> => {
  const { baseUrl, apiKey, forwardTo, events, json } = flags;
  assertApiKey(apiKey);
  const file = flags.stateFile ?? listenStateFile(baseUrl, apiKey);
  const state = startingState(file);
  const stop = host.stopSignal();
  const start = state.cursor === undefined ? 'the oldest event' : 'where it stopped';
  await print(host, json, { baseUrl, forwardTo, secret: state.secret, stateFile: file }, [
    `Forwarding the events of ${baseUrl} to ${forwardTo}, from ${start}. Ctrl-C ends it.`,
    `Secret  ${state.secret}`,
  ]);
  const { sleep = (ms: number) => setTimeout(ms, undefined, { signal: stop }).catch(() => undefined) } = host;
  const deps: FollowDeps = {
    feed: createFeedClient(baseUrl, apiKey),
    forward: createForward(forwardTo, state.secret, host.now),
    save: (next) => writeListenState(file, next),
    sleep,
    random: Math.random,
    ...reportsOf(host, json),
  };
  await follow(state, events && new Set(events), deps, stop);
};

const HELP = `
Examples:
  export ${API_KEY_VARIABLE}=cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw
  npm run operate -- listen --base-url http://localhost:3000 --forward-to http://127.0.0.1:8080/hook
  npm run operate -- listen --base-url https://{stage} --forward-to http://127.0.0.1:8080/hook --events cart.completed

It reads the feed of the key's store and mode, and sends each event as a signed webhook, in order. It repeats an event
until the receiver responds with 2xx. It needs no AWS credentials.
Prefer ${API_KEY_VARIABLE} to --api-key: other users of the machine can see the arguments of a process.
The first run starts with the oldest event that the stage keeps. The next one continues where the last one stopped.
The secret and the position are in a file that only you can read. The default file is .local/listen/{stage and key}.json.`;

/** `listen`: forwards the events of any stage to a receiver, by the feed. */
export const listenCommand = (host: Host): Command =>
  jsonCommand('listen', "forward a store's events to your own machine", HELP)
    .requiredOption('--base-url <url>', "the stage's address", parseBaseUrl)
    .addOption(
      new Option('--api-key <key>', "the store's API key").env(API_KEY_VARIABLE).makeOptionMandatory(),
    )
    .requiredOption('--forward-to <url>', 'the address that receives the events', parseForwardUrl)
    .option('--events <types>', 'only these types, separated by commas', parseEventTypes)
    .option('--state-file <file>', 'the file with the secret and the position')
    .action((flags: ListenFlags) => listen(host, flags));
