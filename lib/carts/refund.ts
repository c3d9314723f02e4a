import type { Price } from '../products/price.ts';

/** Money of a payment that went back to the buyer, in full or in part, as an event reports it. */
export interface Refund extends Price {
  /** A redelivered event has the same id. */
  readonly refundId: string;
  readonly paymentId: string;
  readonly occurredAtMs: number;
}

/** Whether two events with the same refund id report the same refund. */
export const isSameRefund = (a: Refund, b: Refund): boolean =>
  a.paymentId === b.paymentId &&
  a.amount === b.amount &&
  a.currency === b.currency &&
  a.occurredAtMs === b.occurredAtMs;

/** The refunds with one more, by the time at which they happened, then by id. */
export const withRefund = (refunds: readonly Refund[] = [], refund: Refund): readonly Refund[] =>
  [...refunds, refund].toSorted(
    (a, b) => a.occurredAtMs - b.occurredAtMs || (a.refundId < b.refundId ? -1 : 1),
  );
