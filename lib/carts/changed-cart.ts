import type { PaymentCausedEventType } from '../events/event-types.ts';
import type { Cart } from './cart.ts';
import type { Refund } from './refund.ts';

/** The event that a payment or a refund causes, without the cart that it shows. */
export interface CausedEvent {
  readonly type: PaymentCausedEventType;
  /** The `eventId` of the payment, or the `refundId`. The id of the event depends on it. */
  readonly cause: string;
  /** Only in a `cart.duplicate_payment`. */
  readonly duplicatePaymentId?: string;
  /** Only in a `cart.refunded`. */
  readonly refund?: Refund;
}

/** A cart after a payment or a refund. */
export interface ChangedCart {
  readonly cart: Cart;
  /**
   * Absent if a payment changes neither the cart's status nor its `paymentId`, and is not a new duplicate. A refund that comes
   * before its payment has none either.
   */
  readonly event?: CausedEvent;
}
