import { describeFailure } from '../core/failure.ts';
import type { StageMetric } from '../core/metric-names.ts';
import { count, countPayment, logger } from '../core/telemetry.ts';
import { duplicatePaymentIds } from './cart-lifecycle.ts';
import type { InvalidPaymentEvent } from './payment-event.ts';
import type { RecordedPayment } from './record-payment.ts';

type Outcome =
  | RecordedPayment
  | { readonly outcome: 'rejected'; readonly reason: InvalidPaymentEvent['reason'] };
type Rejection = Extract<Outcome, { outcome: 'rejected' }>['reason'];

/** A payment event that SQS has delivered to the function. */
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
  unknownCart: 'UnusablePayments',
};

/**
 * The duplicate payment to report, if any. A redelivery reports it again, because the first delivery may have failed after
 * its write. An alarm too many is better than a missed one.
 */
const duplicatePaymentIdOf = (
  outcome: Outcome,
  { isFirst, paymentId }: ReceivedPayment,
): string | undefined => {
  if (outcome.outcome === 'recorded') return outcome.event?.duplicatePaymentId;
  if (outcome.outcome === 'rejected' || isFirst) return undefined;
  return duplicatePaymentIds(outcome.cart).find((id) => id === paymentId);
};

/** Counts an outcome. SQS delivers a rejected event several times, but only the first delivery counts. */
const countOutcome = (outcome: Outcome, isFirstDelivery: boolean): void => {
  if (outcome.outcome === 'rejected') {
    if (isFirstDelivery) count(REJECTION_METRICS[outcome.reason]);
    return;
  }
  if (outcome.outcome === 'alreadyRecorded') return;
  const { event, cart } = outcome;
  switch (event?.type) {
    case 'cart.payment_failed':
      return countPayment('PaymentsFailed', cart.mode);
    case 'cart.completed':
      countPayment('CartsCompleted', cart.mode);
      if (cart.latePayment) countPayment('LatePayments', cart.mode);
      return;
    // `reportPayment` counts it at each delivery.
    case 'cart.duplicate_payment':
    case undefined:
  }
};

/**
 * Logs and counts the outcome of a payment event.
 *
 * @returns `false` if SQS must redeliver the event until it becomes a dead letter
 */
export const reportPayment = (outcome: Outcome, received: ReceivedPayment): boolean => {
  const { isFirst, cartId } = received;
  countOutcome(outcome, isFirst);
  const line = { cartId, outcome: outcome.outcome };
  if (outcome.outcome === 'rejected') {
    logger.warn('payment', { ...line, reason: outcome.reason });
    return false;
  }
  const { status, mode } = outcome.cart;
  const duplicatePaymentId = duplicatePaymentIdOf(outcome, received);
  // In test mode, there is no money to give back.
  if (duplicatePaymentId !== undefined && mode === 'live') count('DuplicatePayments');
  logger.info('payment', { ...line, status, duplicatePaymentId });
  return true;
};

/** Logs an error that prevented the recording of a payment. Returns `false`: SQS must redeliver the event. */
export const reportFailedPayment = (error: unknown, { cartId }: ReceivedPayment): boolean => {
  logger.error('payment', { cartId, outcome: 'failed', cause: describeFailure(error) });
  return false;
};
