import { type LoggedEvent, logKey } from '../../../../lib/events/logged-event.ts';
import type { DeliveryRecord } from '../../../../lib/deliveries/delivery.ts';
import type { Attempt } from '../../../../lib/endpoints/attempt.ts';
import { nextDelayMs } from '../../../../lib/deliveries/schedule.ts';
import { type ReceivedWebhook, verifyWebhook } from '../../../support/webhook-receiver.ts';
import type { EndpointHistory, EventsHistory } from './history.ts';
import { type BrokenRule, listBroken } from '../history.ts';

/** The longest time from the signature to the arrival: an attempt, and a receiver that is slow or frozen. */
const ON_THE_WAY_MAX_MS = 20_000;

/** The header has whole seconds, and the queue delays by whole seconds. */
const RESOLUTION_MS = 1_000;

const idOf = ({ headers }: ReceivedWebhook): string => String(headers['webhook-id']);

const timestampMsOf = ({ headers }: ReceivedWebhook): number => Number(headers['webhook-timestamp']) * 1_000;

/** Verifies a delivery with the reference implementation, at the time of its own timestamp. Returns the error. */
const signatureIssue = (secret: string, received: ReceivedWebhook): string | undefined => {
  const machineNow = Date.now;
  Date.now = () => timestampMsOf(received);
  try {
    verifyWebhook(secret, received);
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    Date.now = machineNow;
  }
};

const receivedIssues = (
  received: ReceivedWebhook,
  { secret }: EndpointHistory,
  events: ReadonlyMap<string, LoggedEvent>,
  clockAt: EventsHistory['clockAt'],
): readonly (readonly [rule: string, issue: string])[] => {
  const { body, receivedAtMs: atMs } = received;
  const event = events.get(idOf(received));
  const signature = signatureIssue(secret, received);
  const timestampMs = timestampMsOf(received);
  const isTimely =
    timestampMs >= clockAt(atMs - ON_THE_WAY_MAX_MS) - RESOLUTION_MS && timestampMs <= clockAt(atMs);
  return [
    ...(signature === undefined ? [] : [['each signature verifies', signature] as const]),
    ...(isTimely ? [] : [['each delivery is signed when it is sent', `at ${timestampMs}`] as const]),
    ...(event ? [] : [['each delivery is an event that its endpoint wants', 'it is none'] as const]),
    ...(event && event.body !== body
      ? [['each delivery has the body of its event', 'it has another'] as const]
      : []),
  ];
};

/** An attempt that came too early after the one before. */
const findEarly = ({ attempts }: DeliveryRecord): Attempt | undefined =>
  attempts.find(({ attempt, atMs }) => {
    const ends = attempts.filter((each) => each.attempt === attempt - 1).map((each) => each.atMs + each.ms);
    const leastMs = (nextDelayMs(attempt - 1, 0) ?? 0) - RESOLUTION_MS;
    return ends.length > 0 && atMs < Math.min(...ends) + leastMs;
  });

const checkEndpoint = (endpoint: EndpointHistory, history: EventsHistory): BrokenRule[] => {
  const { endpointId, events: types, deliveries } = endpoint;
  const own = history.received.filter(({ path }) => path === `/${endpointId}`);
  const taken = new Set(own.filter(({ status }) => status === 204).map(idOf));
  const records = new Map(deliveries.map((record) => [record.eventId, record]));
  const log = history.logs.find((each) => logKey(each.log) === logKey(endpoint));
  const wanted = (log?.stored ?? []).filter(({ type }) => types?.includes(type) ?? true);
  const byId = new Map(wanted.map((event) => [event.id, event]));
  const statusOf = (id: string): string => records.get(id)?.status ?? 'missing';
  return [
    ...listBroken(
      'each endpoint gets each event at least once',
      wanted,
      ({ id, sequence }) =>
        !taken.has(id) &&
        `${endpointId} never got ${id}, number ${sequence}, whose record is ${statusOf(id)}`,
    ),
    ...listBroken(
      'each delivery has its record',
      wanted,
      ({ id }) =>
        taken.has(id) &&
        statusOf(id) !== 'succeeded' &&
        `${endpointId} got ${id}, whose record is ${statusOf(id)}`,
    ),
    ...own.flatMap((received) =>
      receivedIssues(received, endpoint, byId, history.clockAt).map(([rule, issue]) => ({
        rule,
        detail: `${idOf(received)} at ${endpointId}: ${issue}`,
      })),
    ),
    ...listBroken('no attempt comes before its time', deliveries, (record) => {
      const early = findEarly(record);
      return early && `attempt ${early.attempt} of ${record.eventId} at ${endpointId}`;
    }),
  ];
};

/** Checks what the receivers got, and the records of the deliveries. */
export const checkDeliveries = (history: EventsHistory): BrokenRule[] => [
  ...history.endpoints.flatMap((endpoint) => checkEndpoint(endpoint, history)),
  ...listBroken('all work ends', [history], ({ isSettled }) => !isSettled && 'there is work left'),
];
