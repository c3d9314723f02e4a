import { duplicatePaymentIds, statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import type { Cart, CartStatus } from '../../../lib/carts/cart.ts';
import { isOpen } from '../../../lib/endpoints/breaker.ts';
import type { EndpointWithState } from '../../../lib/endpoints/endpoint-items.ts';
import type { LogId } from '../../../lib/events/logged-event.ts';
import { type Markup, markup } from '../../../lib/pages/markup.ts';

/** The colour of a state: green, yellow, red or grey. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A state in a word or two, with a colour. */
export const pill = (text: string, tone: Tone): Markup => markup`<span class="pill ${tone}">${text}</span>`;

/** The tone of each status of a cart. Nobody waits for an abandoned cart any more. */
const STATUS_TONES: Readonly<Record<CartStatus, Tone>> = {
  waiting_payment: 'warn',
  completed: 'good',
  payment_failed: 'bad',
  abandoned: 'plain',
};

/** The marks of a completed cart, by which the list of carts filters. */
export const cartMarks = (cart: Cart): readonly ('refunded' | 'late' | 'paid twice')[] => {
  const isRefunded = (cart.refunds ?? []).some(({ paymentId }) => paymentId === cart.paymentId);
  const isPaidTwice = duplicatePaymentIds(cart).some((paymentId) => unitsLeft(cart, paymentId) > 0n);
  return [
    ...(isRefunded ? (['refunded'] as const) : []),
    ...(cart.latePayment ? (['late'] as const) : []),
    ...(isPaidTwice ? (['paid twice'] as const) : []),
  ];
};

const MARK_TONES = { refunded: 'plain', late: 'warn', 'paid twice': 'bad' } as const;

const isPartlyRefunded = (cart: Cart): boolean => unitsLeft(cart, cart.paymentId) > 0n;

/** The pills of a cart: its status, and whether it was refunded, late, or paid twice. */
export const cartPills = (cart: Cart, nowMs: number): Markup => {
  const { status } = statusAt(cart, nowMs);
  const marks = cartMarks(cart).map((mark) => {
    const text = mark === 'refunded' && isPartlyRefunded(cart) ? 'partly refunded' : mark;
    return markup` ${pill(text, MARK_TONES[mark])}`;
  });
  return markup`${pill(status.replaceAll('_', ' '), STATUS_TONES[status])}${marks}`;
};

/** The state of an endpoint, as the list of endpoints filters it. */
export const endpointState = ({
  disabled,
  state,
}: EndpointWithState): 'enabled' | 'failing' | 'paused' | 'disabled' => {
  if (disabled) return 'disabled';
  if (isOpen(state)) return 'paused';
  return state.failures > 0 ? 'failing' : 'enabled';
};

const STATE_TONES = { enabled: 'good', failing: 'warn', paused: 'bad', disabled: 'plain' } as const;

/** The pill of an endpoint. */
export const endpointPill = (endpoint: EndpointWithState): Markup => {
  const state = endpointState(endpoint);
  return pill(state, STATE_TONES[state]);
};

/** A store, with a mark in live mode. */
export const storeCell = ({ storeId, mode }: LogId): Markup =>
  markup`<span class="keep">${storeId}</span>${mode === 'live' && markup` ${pill('live', 'plain')}`}`;

/** The tone of an HTTP status. */
export const httpTone = (status: number): Tone => {
  if (status < 300) return 'good';
  return status < 400 ? 'plain' : 'bad';
};
