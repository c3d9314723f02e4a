import type { Price } from '../products/price.ts';

/** How a buyer's attempt to pay ended. */
export type PaymentResult = 'succeeded' | 'failed';

/** One attempt to pay a cart, as its event told it. The event's id is what makes it the same event when it comes again. */
export interface Payment extends Price {
  readonly eventId: string;
  /** A UUID; several events may tell of one payment. */
  readonly paymentId: string;
  readonly result: PaymentResult;
  readonly occurredAtMs: number;
}

/** Whether two events of one id tell the same. */
export const isSamePayment = (a: Payment, b: Payment): boolean =>
  a.paymentId === b.paymentId &&
  a.result === b.result &&
  a.amount === b.amount &&
  a.currency === b.currency &&
  a.occurredAtMs === b.occurredAtMs;

/** The order in which payments happened, whatever the order in which their events came; ties are broken by the event's id. */
export const byOccurrence = (a: Payment, b: Payment): number =>
  a.occurredAtMs - b.occurredAtMs || (a.eventId < b.eventId ? -1 : 1);
