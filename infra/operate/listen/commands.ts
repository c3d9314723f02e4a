import { parseHttpUrl, UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { flag, optional, required } from '../frame/parameter.ts';
import { FILE, TIME, typeOf } from '../frame/value-types.ts';
import { EVENT_TYPE_LIST } from '../shared/event-values.ts';

export const API_KEY_VARIABLE = 'CART_CHECKOUT_API_KEY';

/** The address of a receiver. It may have a query, but no user and no fragment. */
const RECEIVER_URL = typeOf('url', 'It must be an http(s) address without a user and a fragment.', (text) => {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url && isHttp && !url.username && !url.password && !url.hash ? url.href : undefined;
});

const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i;

/** Whether the address of a stage is on this machine. */
export const isOnThisMachine = (baseUrl: string): boolean => LOOPBACK.test(baseUrl);

/** The address of a stage. Over http to another machine, the network could read the key. */
const STAGE_URL = typeOf(
  'url',
  'It must begin with https, unless the stage runs on this machine.',
  (text) => {
    const baseUrl = parseHttpUrl(text);
    return /^https:/i.test(text) || isOnThisMachine(text) ? baseUrl : undefined;
  },
);

export const LISTEN = define(
  {
    summary: "forward a store's events to your own machine",
    options: {
      baseUrl: optional(STAGE_URL, "the stage's address; default: that of the local stage"),
      forwardTo: required(RECEIVER_URL, 'the address that receives the events'),
      events: optional(EVENT_TYPE_LIST, 'only these types, separated by commas'),
      since: optional(TIME, 'also earlier events, from this time on'),
      resume: flag('continue where the last run stopped'),
      stateFile: optional(FILE, 'the file with the secret and the position'),
    },
    stage: 'none',
    json: 'baseUrl forwardTo secret stateFile',
    example: 'listen --forward-to http://127.0.0.1:8080/hook',
    notes: `\
It reads the feed of the key's store and mode, and sends each event as a signed webhook, in order. It repeats an event
until the receiver responds with 2xx, and later events wait. To skip them, restart it without --resume.
It needs no AWS credentials.
It reads the store's API key from ${API_KEY_VARIABLE}: other users of the machine can see the arguments of a process.
Without a key, it takes that of the first demo store for a stage on this machine.
It forwards the events from now on. A stage keeps events for 30 days.
The secret and the position are in a file that only you can read. The secret stays the same for a stage and a key.
With --json, it prints a line for each attempt: at, eventId, type, method, result, accepted, ms and reason.`,
  },
  ({ since, resume }) => {
    if (since !== undefined && resume) throw new UsageError('Choose either --since or --resume.');
  },
);
