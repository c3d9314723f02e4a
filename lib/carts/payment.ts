import type { Price } from '../products/price.ts';

export type PaymentResult = 'succeeded' | 'failed';

/** Whether a payment with this result took the buyer's money: it completes its cart, or needs a refund. */
export const tookMoney = (result: PaymentResult): boolean => {
  switch (result) {
    case 'succeeded':
      return true;
    case 'failed':
      return false;
  }
};

/** A buyer's attempt to pay a cart, as an event reports it. */
export interface Payment extends Price {
  /** The sender's id of its event, and none of our own `evt_...`. A redelivered event has the same id. */
  readonly eventId: string;
  /** A UUID. Several events may report the same payment. */
  readonly paymentId: string;
  readonly result: PaymentResult;
  readonly occurredAtMs: number;
  /** Why the payment failed, as a code such as `card_declined`. */
  readonly failureReason?: string | undefined;
}

/** Whether two events with the same id report the same payment. The reason of a failure only describes it. */
export const isSamePayment = (a: Payment, b: Payment): boolean =>
  a.paymentId === b.paymentId &&
  a.result === b.result &&
  a.amount === b.amount &&
  a.currency === b.currency &&
  a.occurredAtMs === b.occurredAtMs;

/** Compares payments by the time at which they happened, then by event id. */
export const byOccurrence = (a: Payment, b: Payment): number =>
  a.occurredAtMs - b.occurredAtMs || (a.eventId < b.eventId ? -1 : 1);
