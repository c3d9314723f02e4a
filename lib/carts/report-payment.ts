import { describeFailure } from '../failure.ts';
import type { StageMetric } from '../metric-names.ts';
import { count, countPayment, logger } from '../telemetry.ts';
import type { InvalidPaymentEvent } from './payment-event.ts';
import type { RecordedPayment } from './record-payment.ts';

type Outcome =
  RecordedPayment | { readonly outcome: 'rejected'; readonly reason: InvalidPaymentEvent['reason'] };
type Rejection = Extract<Outcome, { outcome: 'rejected' }>['reason'];

const REJECTION_METRICS: Readonly<Record<Rejection, StageMetric>> = {
  amountMismatch: 'AmountMismatches',
  conflictingEvent: 'UnusablePayments',
  futurePayment: 'UnusablePayments',
  malformedEvent: 'UnusablePayments',
  missingMode: 'UnusablePayments',
  modeMismatch: 'UnusablePayments',
  paymentOfAnotherCart: 'UnusablePayments',
  tooManyPayments: 'UnusablePayments',
  unknownCart: 'UnusablePayments',
};

/**
 * Counts an outcome. SQS delivers a rejected event several times, but only the first delivery counts. Duplicate
 * payments count only in live mode, because test mode moves no money.
 */
const countOutcome = (outcome: Outcome, isFirstDelivery: boolean): void => {
  if (outcome.outcome === 'rejected') {
    if (isFirstDelivery) count(REJECTION_METRICS[outcome.reason]);
    return;
  }
  if (outcome.outcome === 'duplicate') return;
  const { change, duplicate, cart } = outcome;
  if (duplicate && cart.mode === 'live') count('DuplicatePayments');
  if (change?.to === 'payment_failed') countPayment('PaymentsFailed', cart.mode);
  if (change?.to !== 'completed') return;
  countPayment('CartsCompleted', cart.mode);
  if (cart.latePayment) countPayment('LatePayments', cart.mode);
};

/** The delivery of a payment event. */
export interface Delivery {
  readonly isFirst: boolean;
  /** Absent if the event is malformed. */
  readonly cartId?: string | undefined;
}

/**
 * Logs and counts the outcome of a payment event.
 *
 * @returns `false` if SQS must redeliver the event until it becomes a dead letter
 */
export const reportPayment = (outcome: Outcome, { isFirst, cartId }: Delivery): boolean => {
  countOutcome(outcome, isFirst);
  const isDone = outcome.outcome !== 'rejected';
  const line = { cartId, outcome: outcome.outcome };
  if (isDone) {
    const duplicatePaymentId = outcome.outcome === 'recorded' ? outcome.duplicate?.paymentId : undefined;
    logger.info('payment', { ...line, status: outcome.cart.status, duplicatePaymentId });
  } else logger.warn('payment', { ...line, reason: outcome.reason });
  return isDone;
};

/** Logs an error that prevented the recording of a payment. Returns `false`: SQS must redeliver the event. */
export const reportFailedPayment = (error: unknown, { cartId }: Delivery): boolean => {
  logger.error('payment', { cartId, outcome: 'failed', cause: describeFailure(error) });
  return false;
};
