import type { Mode } from '../core/mode.ts';
import type { RetrievedCartView } from '../carts/cart-view.ts';

/** The types of events (`docs/events.md`). */
export const EVENT_TYPES = [
  'cart.completed',
  'cart.payment_failed',
  'cart.abandoned',
  'cart.duplicate_payment',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** The cart as retrieval shows it at the time of the event. */
export interface EventData extends RetrievedCartView {
  /** The payment to refund, in a `cart.duplicate_payment`. `paymentId` completed the cart. */
  readonly duplicatePaymentId?: string | undefined;
}

/** An event as merchants receive it, by the feed and by webhooks. */
export interface StoreEvent {
  /** `evt_` and 32 hexadecimal digits. The same change always has the same id. */
  readonly id: string;
  readonly type: EventType;
  /** When the service recorded the change, in ISO 8601. Timestamps increase in a log, unless a clock was wrong. */
  readonly timestamp: string;
  readonly data: EventData;
}

/** A log has the events of one store in one mode. */
export interface LogId {
  readonly storeId: string;
  readonly mode: Mode;
}

/** The partition key of a log. The mode comes first, so that an IAM policy can select it. */
export const logKey = ({ storeId, mode }: LogId): string => `${mode}#${storeId}`;

/** Parses the key of {@link logKey}. */
export const parseLogKey = (key: string): LogId => {
  const mode: Mode = key.startsWith('live#') ? 'live' : 'test';
  return { mode, storeId: key.slice(mode.length + 1) };
};

/** An event in its log. */
export interface LoggedEvent extends LogId {
  /** The event before it in the log has the number below, unless the log was empty. */
  readonly sequence: number;
  readonly id: string;
  readonly type: EventType;
  readonly cartId: string;
  readonly recordedAtMs: number;
  /** The JSON text of the {@link StoreEvent}: the very bytes that each reader receives. */
  readonly body: string;
}
