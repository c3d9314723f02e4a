import { duplicatePaymentIds } from '../carts/cart-payments.ts';
import { unitsLeft } from '../carts/cart-refunds.ts';
import type { Refund } from '../carts/refund.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import type { StageMetric } from '../telemetry/metric-names.ts';
import { recordStageMetric, recordCartMetric, embeddedMetrics } from '../telemetry/metrics.ts';
import type { InvalidPaymentEvent } from './payment-event.ts';
import type { RecordedPayment } from './record-payment.ts';

type Outcome =
  | RecordedPayment
  | { readonly outcome: 'rejected'; readonly reason: InvalidPaymentEvent['reason'] };
type Rejection = Extract<Outcome, { outcome: 'rejected' }>['reason'];

/** An event about a payment or a refund that SQS has delivered to the function. */
export interface ReceivedPayment {
  /** Whether SQS delivered it for the first time. */
  readonly isFirst: boolean;
  /** Absent if the event is malformed. */
  readonly cartId?: string | undefined;
  readonly paymentId?: string | undefined;
}

const REJECTION_METRICS: Readonly<Record<Rejection, StageMetric>> = {
  amountMismatch: 'AmountMismatches',
  conflictingEvent: 'UnusablePayments',
  futurePayment: 'UnusablePayments',
  malformedEvent: 'UnusablePayments',
  paymentOfAnotherCart: 'UnusablePayments',
  tooManyPayments: 'UnusablePayments',
  tooManyRefunds: 'UnusablePayments',
  unknownCart: 'UnusablePayments',
};

/**
 * The duplicate payment to report, if any. A redelivery reports it again, because the first delivery may have failed after
 * its write. An alarm too many is better than a missed one.
 */
const duplicatePaymentIdOf = (
  recorded: Outcome,
  { isFirst, paymentId }: ReceivedPayment,
): string | undefined => {
  if (recorded.outcome === 'recorded') return recorded.event?.duplicatePaymentId;
  if (recorded.outcome === 'rejected' || isFirst) return undefined;
  return duplicatePaymentIds(recorded.cart).find((id) => id === paymentId);
};

/** The payment whose refunds exceed it, if any. A redelivery reports it again, like a duplicate payment. */
const excessPaymentIdOf = (
  recorded: Outcome,
  { isFirst, paymentId }: ReceivedPayment,
): string | undefined => {
  if (recorded.outcome === 'rejected') return undefined;
  const { cart, outcome, refundCount = 0 } = recorded;
  const isRepeated = outcome === 'alreadyRecorded' && !isFirst;
  return (refundCount > 0 || isRepeated) && unitsLeft(cart, paymentId) < 0n ? paymentId : undefined;
};

/** Counts an outcome. SQS delivers a rejected event several times, but only the first delivery counts. */
const countOutcome = (recorded: Outcome, isFirstDelivery: boolean): void => {
  if (recorded.outcome === 'rejected') {
    if (isFirstDelivery) recordStageMetric(REJECTION_METRICS[recorded.reason]);
    return;
  }
  const { cart, refundCount } = recorded;
  if (refundCount !== undefined) recordCartMetric(cart.mode, 'Refunds', refundCount);
  if (recorded.outcome === 'alreadyRecorded') return;
  const type = recorded.event?.type;
  if (type === 'cart.payment_failed') recordCartMetric(cart.mode, 'PaymentsFailed');
  if (type !== 'cart.completed') return;
  recordCartMetric(cart.mode, 'CartsCompleted');
  if (cart.latePayment) recordCartMetric(cart.mode, 'LatePayments');
};

/** Logs and counts the outcome of an event about a payment or a refund. */
export const reportPayment = (recorded: Outcome, received: ReceivedPayment): void => {
  const { isFirst, cartId } = received;
  countOutcome(recorded, isFirst);
  const line = { cartId, outcome: recorded.outcome };
  if (recorded.outcome === 'rejected') {
    logger.warn('payment', { ...line, reason: recorded.reason });
    return;
  }
  const { cart, refundCount } = recorded;
  const { status, mode } = cart;
  const duplicatePaymentId = duplicatePaymentIdOf(recorded, received);
  const excessPaymentId = excessPaymentIdOf(recorded, received);
  // In test mode, no money has moved.
  if (duplicatePaymentId !== undefined && mode === 'live') recordStageMetric('DuplicatePayments');
  if (excessPaymentId !== undefined && mode === 'live') recordStageMetric('ExcessRefunds');
  logger.info('payment', { ...line, status, refunds: refundCount, duplicatePaymentId, excessPaymentId });
};

/** Logs and counts an error that prevented the recording of a payment or a refund. */
export const reportFailedPayment = (error: unknown, { cartId }: ReceivedPayment): void =>
  logger.error('payment', {
    cartId,
    outcome: 'failed',
    cause: describeFailure(error),
    ...embeddedMetrics({}, { PaymentsInterrupted: 1 }),
  });

/** Logs and counts a refund whose payment has been missing for a day. */
export const reportEarlyRefund = (cartId: string, { paymentId, refundId }: Refund): void =>
  logger.warn('payment', {
    cartId,
    outcome: 'early',
    earlyPaymentId: paymentId,
    refundId,
    ...embeddedMetrics({}, { EarlyRefunds: 1 }),
  });
