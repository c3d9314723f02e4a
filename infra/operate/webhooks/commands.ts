import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { defaulting, flag, optional, required } from '../frame/parameter.ts';
import { anyText, COUNT, DURATION, MODE, TEXT, TIME } from '../frame/value-types.ts';
import { EVENT_ID, EVENT_TYPE_LIST } from '../shared/event-values.ts';
import { STORE } from '../shared/store-values.ts';
import { ENDPOINT } from './endpoint-value.ts';

const ID = 'we_0123456789abcdefghijABCD';

const ENDPOINT_JSON = 'id storeId mode url eventTypes? label? createdAt';

const STATE_JSON =
  `${ENDPOINT_JSON} state disabledAt? disabledReason? failures failingSince? nextProbeAt? lastSuccessAt?` as const;

const DELIVERY_JSON = 'eventId type recordedAt status reason? nextAttemptAt? attempts';

/** The declaration of a change of one endpoint. */
const ENDPOINT_CHANGE = {
  arguments: { endpoint: required(ENDPOINT, 'the id of the endpoint') },
  asks: true,
  audits: 'endpointId storeId mode',
} as const;

/** Parked deliveries drain at the same rate. */
export const REPLAYED_PER_SECOND = 10;

export const WEBHOOKS = {
  create: define({
    summary: 'add a webhook endpoint and show its secret once',
    options: {
      store: required(STORE, 'the store whose events it receives'),
      mode: required(MODE, 'the mode of these events'),
      url: required(anyText('url'), 'the address that receives the events'),
      events: optional(EVENT_TYPE_LIST, 'only these types, separated by commas; default: all'),
      label: optional(TEXT, 'a name for people'),
    },
    asks: true,
    audits: ENDPOINT_CHANGE.audits,
    json: `${ENDPOINT_JSON} secret`,
    example: 'webhooks create --store shop --mode live --url https://shop.example/hook --stage prod',
    notes: `\
The address needs https and the port 443 or 8443, and every IP address of its host must be public. The local stage also
allows http to this machine. The endpoint gets no earlier events: \`webhooks replay\` sends them.`,
  }),
  list: define({
    summary: 'list webhook endpoints with their state; reads the whole table',
    options: { store: optional(STORE, 'only the endpoints of this store') },
    json: `webhooks(${STATE_JSON})`,
    example: 'webhooks list --store shop --stage prod',
    notes: `\
After five failures in a row, the state is open: the service sends one probe at a time. An endpoint is
disabled by an operator, after a 410 (gone), or after five days of only failures (failing). Otherwise, it is enabled.`,
  }),
  test: define({
    ...ENDPOINT_CHANGE,
    summary: 'send a ping to an endpoint and show the response',
    json: DELIVERY_JSON,
    example: `webhooks test ${ID}`,
    notes: `\
It sends one event of the type webhook.ping through the stage's queue, with one attempt, and waits for its result. It
exits with 1 if the receiver does not respond with 2xx.`,
  }),
  rotate: define({
    ...ENDPOINT_CHANGE,
    summary: 'give an endpoint a new secret and show it once',
    options: { overlap: defaulting(DURATION, '24h', 'how long both secrets sign, such as 12h or 7d') },
    json: `${ENDPOINT_JSON} previousSecretEndsAt secret`,
    example: `webhooks rotate ${ID} --overlap 24h`,
    notes: `\
Until the overlap ends, each delivery has two signatures, and the receiver may accept either. For a leaked secret, use
--overlap 0s. A second rotation ends the oldest secret at once. Every attempt that starts after the command
has the new signatures.`,
  }),
  disable: define({
    ...ENDPOINT_CHANGE,
    summary: 'stop the deliveries to an endpoint',
    json: STATE_JSON,
    example: `webhooks disable ${ID}`,
    notes:
      'The service sends nothing to the endpoint from now on. It drops deliveries that become due, but the feed has every event.',
  }),
  enable: define({
    ...ENDPOINT_CHANGE,
    summary: 'resume the deliveries to an endpoint',
    json: `${STATE_JSON} missedSince?`,
    example: `webhooks enable ${ID}`,
    notes: `\
It also clears the time of failing. If the breaker is open, one parked delivery goes out now, and the others follow when it
succeeds. The service does not send the deliveries that it dropped while the endpoint was disabled: use \`webhooks replay\`.`,
  }),
  remove: define({
    ...ENDPOINT_CHANGE,
    summary: 'delete a webhook endpoint and its secret',
    json: 'id removed',
    example: `webhooks remove ${ID}`,
    notes: `\
The service sends no further deliveries. Their records stay for 30 days. To stop the deliveries for a while, use
\`webhooks disable\`.`,
  }),
  deliveries: define({
    summary: 'list the deliveries of an endpoint, the latest event first',
    arguments: ENDPOINT_CHANGE.arguments,
    options: {
      failed: flag('only deliveries that have not succeeded'),
      limit: defaulting(COUNT, '20', 'the most deliveries to list'),
    },
    json: `deliveries(${DELIVERY_JSON})`,
    example: `webhooks deliveries ${ID} --failed --limit 100 --stage prod`,
    notes: `\
Each delivery has its last 20 attempts, with status, time and the first 500 characters of the response. API keys and signing
secrets in it are hidden.
States: succeeded, retrying, waiting (for the endpoint to respond or to recover), failed (after the last attempt), or dropped
(the endpoint was disabled). Records stay for 30 days.`,
  }),
  replay: define(
    {
      ...ENDPOINT_CHANGE,
      summary: 'send stored events to an endpoint again',
      options: {
        since: optional(TIME, 'all events recorded since then'),
        event: optional(EVENT_ID, 'one event'),
      },
      audits: `${ENDPOINT_CHANGE.audits} since eventId replayed`,
      json: 'id replayed',
      example: `webhooks replay ${ID} --since 24h`,
      notes: `\
It sends stored events again, at most ${REPLAYED_PER_SECOND} a second, each with its old id and a new schedule of attempts. A receiver ignores
the ids that it has handled. The endpoint's filter of types applies to --since. With --event, the command reads the event
log from its oldest event: add --since to begin later.`,
    },
    ({ since, event }) => {
      if (since !== undefined || event !== undefined) return;
      throw new UsageError('Select the events to replay with --since or --event.');
    },
  ),
};
