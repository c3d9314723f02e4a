import { isEarlyRefund, unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import type { ManualReport } from '../../../lib/operators/manual-report-repository.ts';
import type { PaymentEventOutcome } from '../../../lib/payments/record-payment-event.ts';
import { minorUnitsText } from '../../../lib/products/price.ts';

type Recorded = Extract<PaymentEventOutcome, { readonly outcome: 'recorded' }>;

/** The state of a cart once a report is recorded. */
export interface Consequences {
  readonly sentences: readonly string[];
  readonly isDuplicate: boolean;
  /** The amount by which the refunds then exceed the payment. */
  readonly excess?: string;
}

/** The rest of a payment, in minor units, after all of its refunds, early ones included. */
export const unitsLeftAtLast = (cart: Cart, paymentId: string): bigint => {
  const { refunds = [], earlyRefunds = [] } = cart;
  return unitsLeft({ ...cart, refunds: [...refunds, ...earlyRefunds] }, paymentId);
};

const ofPayment = ({ paymentId }: Payment, { cart, event }: Recorded, nowMs: number): Consequences => {
  const say = (sentence: string, isDuplicate = false) => ({ sentences: [sentence], isDuplicate });
  const isLast = event !== undefined && cart.paymentId === paymentId;
  if (isLast && cart.status === 'completed') {
    return say(
      `Afterwards, the cart is completed${cart.latePayment ? ', as paid late' : ''}. This is final.`,
    );
  }
  if (isLast && cart.status === 'payment_failed') {
    return say('Afterwards, the cart is payment_failed. The buyer can pay again.');
  }
  if (event?.duplicatePaymentId !== undefined) {
    return say(
      `The payment ${paymentId} becomes a duplicate payment of a completed cart: its merchant gets cart.duplicate_payment, and somebody must refund it.`,
      true,
    );
  }
  return say(`Afterwards, the cart is still ${statusAt(cart, nowMs).status}.`);
};

const ofRefund = (refund: Refund, { cart }: Recorded): Consequences => {
  const { paymentId, currency } = refund;
  const left = unitsLeftAtLast(cart, paymentId);
  const textOf = (units: bigint): string => `${minorUnitsText(units, currency)} ${currency}`;
  const excess = left < 0n ? { excess: textOf(-left) } : {};
  return {
    isDuplicate: false,
    ...excess,
    sentences: [
      ...(isEarlyRefund(cart, refund)
        ? [`The cart has no successful payment ${paymentId}: the refund waits for it, without an effect.`]
        : []),
      left < 0n
        ? `Afterwards, the refunds exceed the payment ${paymentId} by ${textOf(-left)}.`
        : `Afterwards, ${textOf(left)} of the payment ${paymentId} is left.`,
    ],
  };
};

/** The consequences of a report, as the service would record it. */
export const consequencesOf = (report: ManualReport, recorded: Recorded, nowMs: number): Consequences =>
  'refundId' in report ? ofRefund(report, recorded) : ofPayment(report, recorded, nowMs);
