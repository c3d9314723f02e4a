import { cartEvent, type CartChange, type CartEvent } from '../../../../lib/carts/cart-event.ts';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { applyPayment } from '../../../../lib/carts/cart-lifecycle.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { logEvent, type LoggedEvent } from '../../../../lib/events/logged-event.ts';
import type { DeliveryRecord } from '../../../../lib/deliveries/delivery.ts';
import { generateSecret } from '../../../../lib/endpoints/endpoint.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, refund, waitingCart } from '../../../support/payments.ts';
import type { ReceivedWebhook } from '../../../support/webhook-receiver.ts';
import { checkEvents } from './check.ts';
import type { EventsHistory, LogHistory } from './history.ts';

const RECORDED_AT_MS = CREATED_AT_MS + 120_000;
const SECRET = generateSecret();
const PAYMENT = payment();

const GIVEN = refund({ paymentId: PAYMENT.paymentId });

const paidCart = (): Cart => {
  const paid = applyPayment(waitingCart(), PAYMENT);
  if (paid.outcome !== 'recorded') throw new Error('The payment is not recorded');
  return { ...paid.cart, refunds: [GIVEN] };
};
const paid = paidCart();
const abandoned = waitingCart({ abandonmentRecordedAtMs: EXPIRES_AT_MS });

const storedEvent = (event: CartChange, index: number): LoggedEvent =>
  logEvent(cartEvent(event), 1_000 + index, RECORDED_AT_MS + index);
const EVENTS = [
  storedEvent({ type: 'cart.completed', cart: paid, cause: PAYMENT.eventId }, 0),
  storedEvent({ type: 'cart.abandoned', cart: abandoned, cause: `expiry ${EXPIRES_AT_MS}` }, 1),
  storedEvent({ type: 'cart.refunded', cart: paid, cause: GIVEN.refundId, refund: GIVEN }, 2),
] as const;
const [first, second, third] = EVENTS;

const bodyOf = ({ body }: LoggedEvent): CartEvent => JSON.parse(body) as CartEvent;

const ENDPOINT = {
  storeId: 'store-1',
  mode: 'live',
  endpointId: 'endpoint',
  url: 'http://127.0.0.1/endpoint',
  createdAtMs: CREATED_AT_MS,
  secret: SECRET,
} as const;

const delivered = (
  { id, body, recordedAtMs }: LoggedEvent,
  changes: Partial<ReceivedWebhook> = {},
): ReceivedWebhook => {
  const timestampSeconds = Math.floor(recordedAtMs / 1_000);
  return {
    path: `/${ENDPOINT.endpointId}`,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': new Webhook(SECRET).sign(id, new Date(timestampSeconds * 1_000), body),
    },
    body,
    status: 204,
    receivedAtMs: recordedAtMs + 10,
    ...changes,
  };
};

const recordOf = ({ id, type, recordedAtMs }: LoggedEvent): DeliveryRecord => ({
  endpointId: ENDPOINT.endpointId,
  id: `${new Date(recordedAtMs).toISOString()}#${id}`,
  eventId: id,
  type,
  recordedAtMs,
  status: 'succeeded',
  attempts: [{ attempt: 1, atMs: recordedAtMs, ms: 10, status: 204 }],
});

const LOG: LogHistory = {
  log: { storeId: 'store-1', mode: 'live' },
  stored: EVENTS,
  feed: { events: EVENTS.map(bodyOf), requests: 2 },
  followed: EVENTS.map(bodyOf),
  surprises: [],
};

const RECEIVED = EVENTS.map((event) => delivered(event));

const historyOf = (changes: Partial<EventsHistory> = {}): EventsHistory => ({
  carts: [paid, abandoned],
  written: new Map([
    [
      paid.id,
      {
        arrival: 'asSent',
        plan: {
          cart: paid,
          steps: [
            { by: 'writer', report: PAYMENT, copies: 1 },
            { by: 'writer', report: GIVEN, copies: 1 },
          ],
          changes: 1,
        },
      },
    ],
  ]),
  logs: [LOG],
  endpoints: [{ ...ENDPOINT, deliveries: EVENTS.map(recordOf) }],
  received: RECEIVED,
  clockAt: (machineMs) => machineMs,
  endedAtMs: EXPIRES_AT_MS + 3_600_000,
  isSettled: true,
  ...changes,
});

const withLog = (changes: Partial<LogHistory>): Partial<EventsHistory> => ({
  logs: [{ ...LOG, ...changes }],
});

const withDeliveries = (...deliveries: readonly DeliveryRecord[]): Partial<EventsHistory> => ({
  endpoints: [{ ...ENDPOINT, deliveries }],
});

test('a correct history breaks no rule', () => {
  expect(checkEvents(historyOf())).toEqual([]);
});

test('a delivery may come twice, and fail in between', () => {
  const received = [delivered(first, { status: 500 }), ...RECEIVED, delivered(second)];
  expect(checkEvents(historyOf({ received }))).toEqual([]);
});

const late = storedEvent({ type: 'cart.completed', cart: waitingCart(), cause: 'unknown' }, 2);
const failed = { ...paid, payments: [...(paid.payments ?? []), payment({ result: 'failed' })] };
const forgotten = waitingCart();
const SKIPPED = { ...second, sequence: second.sequence + 1 };
const [firstBody, secondBody] = LOG.followed as [CartEvent, CartEvent];
const READER = 'a reader who follows the cursor gets each event exactly once';

describe('it reports', () => {
  test.each<[rule: string, changes: Partial<EventsHistory>]>([
    [
      'each change has exactly one event',
      withLog({ stored: [second], feed: { events: [secondBody], requests: 2 }, followed: [secondBody] }),
    ],
    [
      'each change has exactly one event',
      withLog({ stored: [first, second, { ...first, sequence: 1_002 }] }),
    ],
    ['each event has its change', withLog({ stored: [...EVENTS, late] })],
    ['each cart is right', { carts: [paid, abandoned, forgotten] }],
    ['each cart is right', { carts: [{ ...paid, status: 'payment_failed' }, abandoned] }],
    ['each cart is right', { carts: [{ ...paid, payments: [PAYMENT, PAYMENT] }, abandoned] }],
    [
      'each change has exactly one event',
      { carts: [{ ...failed, payments: failed.payments.toReversed() }, abandoned], written: new Map() },
    ],
    ['each confirmed payment and refund is stored', { carts: [abandoned] }],
    ['each confirmed payment and refund is stored', { carts: [{ ...paid, refunds: [] }, abandoned] }],
    ['each event has its change', { carts: [{ ...paid, refunds: [] }, abandoned] }],
    ['each cart is right', { carts: [{ ...paid, refunds: [GIVEN, GIVEN] }, abandoned] }],
    ['each cart is right', { carts: [{ ...paid, refunds: [], earlyRefunds: [GIVEN] }, abandoned] }],
    ['each change has exactly one event', withLog({ stored: [first, second] })],
    ['each change has exactly one event', withLog({ stored: [...EVENTS, { ...third, sequence: 1_003 }] })],
    [
      'each writer succeeds in the end',
      {
        written: new Map([
          [paid.id, { arrival: 'unknown', failure: 'never', plan: { cart: paid, steps: [], changes: 1 } }],
        ]),
      },
    ],
    ['the numbers of a log are dense', withLog({ stored: [first, SKIPPED] })],
    [
      'the timestamps of a log increase',
      withLog({ stored: [first, { ...second, recordedAtMs: first.recordedAtMs }] }),
    ],
    [
      'the feed has each stored event once, in its order',
      withLog({ feed: { events: [secondBody, firstBody], requests: 2 } }),
    ],
    ['a reader needs one request for each full page', withLog({ feed: { ...LOG.feed, requests: 3 } })],
    [READER, withLog({ followed: [firstBody] })],
    [READER, withLog({ followed: [firstBody, firstBody, secondBody] })],
    [READER, withLog({ followed: [secondBody, firstBody] })],
    ['the feed rejects no cursor of its own', withLog({ surprises: ['422'] })],
    ['each endpoint gets each event at least once', { received: [delivered(first)] }],
    [
      'each endpoint gets each event at least once',
      { received: [delivered(first), delivered(second, { status: 500 })] },
    ],
    ['each signature verifies', { received: [...RECEIVED, delivered(first, { body: `${first.body} ` })] }],
    [
      'each signature verifies',
      { endpoints: [{ ...ENDPOINT, secret: generateSecret(), deliveries: EVENTS.map(recordOf) }] },
    ],
    [
      'each delivery has the body of its event',
      { received: [...RECEIVED, delivered({ ...first, body: '{}' })] },
    ],
    [
      'each delivery is signed when it is sent',
      { received: [...RECEIVED, delivered(first, { receivedAtMs: first.recordedAtMs + 60_000 })] },
    ],
    ['each delivery is an event that its endpoint wants', { received: [...RECEIVED, delivered(late)] }],
    ['each delivery has its record', withDeliveries(recordOf(first))],
    [
      'each delivery has its record',
      withDeliveries(recordOf(first), { ...recordOf(second), status: 'retrying' }),
    ],
    [
      'no attempt comes before its time',
      withDeliveries(recordOf(first), {
        ...recordOf(second),
        attempts: [
          { attempt: 1, atMs: RECORDED_AT_MS, ms: 0, status: 500 },
          { attempt: 2, atMs: RECORDED_AT_MS + 1_000, ms: 0, status: 204 },
        ],
      }),
    ],
    ['all work ends', { isSettled: false }],
  ])('a broken rule: %s', (rule, changes) => {
    expect(checkEvents(historyOf(changes)).map((broken) => broken.rule)).toContain(rule);
  });
});

test('a payment whose place among the others is unknown may have no event if a later one could have come first', () => {
  const early = payment({ result: 'failed', occurredAtMs: PAYMENT.occurredAtMs - 1, eventId: randomUUID() });
  const cart = { ...paid, payments: [early, PAYMENT] };
  const plan = { cart, steps: [], changes: 1 };
  const written = (arrival: 'unknown' | 'asDated'): Partial<EventsHistory> => ({
    carts: [cart, abandoned],
    written: new Map([[cart.id, { arrival, plan }]]),
  });
  expect(checkEvents(historyOf(written('unknown')))).toEqual([]);
  expect(checkEvents(historyOf(written('asDated')))).toHaveLength(1);
});
