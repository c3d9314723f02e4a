import { parseHttpUrl } from '../../terminal/command-line.ts';
import { define, optional, required } from '../frame/command.ts';
import { EVENTS, FILE, typeOf } from '../frame/value-types.ts';

export const API_KEY_VARIABLE = 'CART_CHECKOUT_API_KEY';

/** The address of a receiver. It may have a query, but no user and no fragment. */
const RECEIVER_URL = typeOf('url', 'It must be an http(s) address without a user and a fragment.', (text) => {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isHttp && !url.username && !url.password && !url.hash ? url.href : undefined;
});

const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i;

/** The address of a stage. Over http to another machine, the network could read the key. */
const STAGE_URL = typeOf(
  'url',
  'It must begin with https, unless the stage runs on this machine.',
  (text) => {
    const baseUrl = parseHttpUrl(text);
    return /^https:/i.test(text) || LOOPBACK.test(text) ? baseUrl : undefined;
  },
);

export const LISTEN = define({
  summary: "forward a store's events to your own machine",
  options: {
    baseUrl: required(STAGE_URL, "the stage's address"),
    forwardTo: required(RECEIVER_URL, 'the address that receives the events'),
    events: optional(EVENTS, 'only these types, separated by commas'),
    stateFile: optional(FILE, 'the file with the secret and the position'),
  },
  stage: 'none',
  json: 'baseUrl forwardTo secret stateFile',
  example: 'listen --base-url http://localhost:3000 --forward-to http://127.0.0.1:8080/hook',
  notes: `\
It reads the feed of the key's store and mode, and sends each event as a signed webhook, in order. It repeats an event
until the receiver responds with 2xx. It needs no AWS credentials.
It reads the store's API key from ${API_KEY_VARIABLE}: other users of the machine can see the arguments of a process.
The first run starts with the oldest event that the stage keeps. The next one continues where the last one stopped.
The secret and the position are in a file that only you can read. The default file is .local/listen/{stage and key}.json.
With --json, it prints a line for each attempt: at, eventId, type, result, accepted and ms.`,
});
