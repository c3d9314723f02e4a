import { expect, test } from 'vitest';
import { cartEvent, type CartChange, type CartEvent } from '../../../../lib/carts/cart-event.ts';
import { applyPayment } from '../../../../lib/carts/cart-lifecycle.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { logEvent, type LoggedEvent } from '../../../../lib/events/logged-event.ts';
import {
  CREATED_AT_MS,
  EXPIRES_AT_MS,
  payment,
  refund,
  waitingCart,
} from '../../../support/domain/payments.ts';
import type { ReceivedWebhook } from '../../../support/http/webhook-receiver.ts';
import { checkEvents } from './check.ts';
import type { EventsHistory, LogHistory } from './history.ts';

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
  logEvent(cartEvent(event), 1_000 + index, CREATED_AT_MS + index);
const EVENTS = [
  storedEvent({ type: 'cart.completed', cart: paid, cause: PAYMENT.eventId }, 0),
  storedEvent({ type: 'cart.abandoned', cart: abandoned, cause: `expiry ${EXPIRES_AT_MS}` }, 1),
  storedEvent({ type: 'cart.refunded', cart: paid, cause: GIVEN.refundId, refund: GIVEN }, 2),
] as const;
const [first, second, third] = EVENTS;

const bodyOf = ({ body }: LoggedEvent): CartEvent => JSON.parse(body) as CartEvent;
const BODIES = EVENTS.map(bodyOf);
const [firstBody, secondBody, thirdBody] = BODIES as [CartEvent, CartEvent, CartEvent];

const ENDPOINT = {
  storeId: 'store-1',
  mode: 'live',
  endpointId: 'endpoint',
  url: 'http://127.0.0.1/endpoint',
  createdAtMs: CREATED_AT_MS,
  secret: '',
} as const;

const delivered = ({ id, body }: LoggedEvent, status = 204): ReceivedWebhook => ({
  path: `/${ENDPOINT.endpointId}`,
  headers: { 'webhook-id': id },
  body,
  status,
  receivedAtMs: CREATED_AT_MS,
});

const LOG: LogHistory = { log: { storeId: 'store-1', mode: 'live' }, stored: EVENTS, followed: BODIES };

const PLAN = {
  cart: paid,
  steps: [PAYMENT, GIVEN].map((report) => ({ by: 'writer', report, copies: 1 }) as const),
  changes: 2,
};

const historyOf = (changes: Partial<EventsHistory> = {}): EventsHistory => ({
  carts: [paid, abandoned],
  written: [{ plan: PLAN }],
  logs: [LOG],
  endpoints: [ENDPOINT],
  received: EVENTS.map((event) => delivered(event)),
  endedAtMs: EXPIRES_AT_MS + 3_600_000,
  isSettled: true,
  ...changes,
});

const withStored = (...stored: readonly LoggedEvent[]): Partial<EventsHistory> => ({
  logs: [{ ...LOG, stored, followed: stored.map(bodyOf) }],
});

const withFollowed = (...followed: readonly CartEvent[]): Partial<EventsHistory> => ({
  logs: [{ ...LOG, followed }],
});

test('a correct history breaks no rule, in which a delivery fails at first, and another one comes twice', () => {
  const received = [delivered(first, 500), ...EVENTS.map((event) => delivered(event)), delivered(second)];
  expect(checkEvents(historyOf({ received }))).toEqual([]);
});

const ONE_EVENT = 'each change has exactly one event';
const CONFIRMED = 'each confirmed payment and refund is stored';
const READER = 'a reader who follows the cursor gets each event exactly once';
const DELIVERED = 'each endpoint gets each event at least once';

test.each<[example: string, rule: string, changes: Partial<EventsHistory>]>([
  ['a payment without its event', ONE_EVENT, withStored(second, third)],
  ['a refund without its event', ONE_EVENT, withStored(first, second)],
  ['two events of a payment', ONE_EVENT, withStored(...EVENTS, { ...first, sequence: 1_003 })],
  ['an expiry without its record', ONE_EVENT, { carts: [paid, abandoned, waitingCart()] }],
  ['a lost cart', CONFIRMED, { carts: [abandoned] }],
  ['a lost refund', CONFIRMED, { carts: [{ ...paid, refunds: [] }, abandoned] }],
  [
    'a writer that gave up',
    'each writer succeeds in the end',
    { written: [{ plan: PLAN, failure: 'never' }] },
  ],
  ['an event that a reader missed', READER, withFollowed(firstBody, thirdBody)],
  ['an event that a reader saw twice', READER, withFollowed(firstBody, firstBody, secondBody, thirdBody)],
  ['events that a reader saw in another order', READER, withFollowed(secondBody, firstBody, thirdBody)],
  ['an event that was never sent', DELIVERED, { received: [delivered(first), delivered(third)] }],
  [
    'a delivery that always failed',
    DELIVERED,
    { received: [delivered(first), delivered(second, 500), delivered(third)] },
  ],
  ['work that is left', 'all work ends', { isSettled: false }],
])('%s is reported', (_, rule, changes) => {
  expect(new Set(checkEvents(historyOf(changes)).map((broken) => broken.rule))).toStrictEqual(
    new Set([rule]),
  );
});
