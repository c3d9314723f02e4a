import { duplicatePaymentIds } from '../carts/cart-payments.ts';
import { unitsLeft } from '../carts/cart-refunds.ts';
import type { Refund } from '../carts/refund.ts';
import type { PaymentCausedEventType } from '../events/event-types.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import type { CartMetric, StageMetric } from '../telemetry/metric-names.ts';
import { recordStageMetric, recordCartMetric, embeddedMetrics } from '../telemetry/metrics.ts';
import type { InvalidPaymentEvent } from './payment-event.ts';
import type { RecordOutcome } from './record-payment-event.ts';

/** The outcome of an event, also of one that is malformed. */
type ReportedOutcome =
  | RecordOutcome
  | { readonly outcome: 'rejected'; readonly reason: InvalidPaymentEvent['reason'] };
type Rejection = Extract<ReportedOutcome, { outcome: 'rejected' }>['reason'];

/** An event about a payment or a refund that SQS has delivered to the function. */
export interface ReceivedPaymentEvent {
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

/** The metric that counts the events of a type. */
const EVENT_METRICS: Readonly<Record<PaymentCausedEventType, CartMetric | undefined>> = {
  'cart.completed': 'CartsCompleted',
  'cart.payment_failed': 'PaymentsFailed',
  // A metric of the stage counts the live ones.
  'cart.duplicate_payment': undefined,
  // `Refunds` counts the refunds of any outcome.
  'cart.refunded': undefined,
};

/**
 * The duplicate payment to report, if any. A redelivery reports it again, because the first delivery may have failed after
 * its write. An alarm too many is better than a missed one.
 */
const duplicatePaymentIdOf = (
  result: ReportedOutcome,
  { isFirst, paymentId }: ReceivedPaymentEvent,
): string | undefined => {
  if (result.outcome === 'recorded') return result.event?.duplicatePaymentId;
  if (result.outcome === 'rejected' || isFirst) return undefined;
  return duplicatePaymentIds(result.cart).find((id) => id === paymentId);
};

/** The payment whose refunds exceed it, if any. A redelivery reports it again, like a duplicate payment. */
const excessPaymentIdOf = (
  result: ReportedOutcome,
  { isFirst, paymentId }: ReceivedPaymentEvent,
): string | undefined => {
  if (result.outcome === 'rejected') return undefined;
  const { cart, outcome, refundCount = 0 } = result;
  const isRepeated = outcome === 'alreadyRecorded' && !isFirst;
  return (refundCount > 0 || isRepeated) && unitsLeft(cart, paymentId) < 0n ? paymentId : undefined;
};

/** Counts an outcome. SQS delivers a rejected event several times, but only the first delivery counts. */
const countOutcome = (result: ReportedOutcome, isFirstDelivery: boolean): void => {
  if (result.outcome === 'rejected') {
    if (isFirstDelivery) recordStageMetric(REJECTION_METRICS[result.reason]);
    return;
  }
  const { cart, refundCount } = result;
  if (refundCount !== undefined) recordCartMetric(cart.mode, 'Refunds', refundCount);
  if (result.outcome === 'alreadyRecorded') return;
  const type = result.event?.type;
  const metric = type && EVENT_METRICS[type];
  if (metric) recordCartMetric(cart.mode, metric);
  if (metric === 'CartsCompleted' && cart.latePayment) recordCartMetric(cart.mode, 'LatePayments');
};

/** Logs and counts the outcome of an event about a payment or a refund. */
export const reportPaymentEvent = (result: ReportedOutcome, received: ReceivedPaymentEvent): void => {
  const { isFirst, cartId } = received;
  countOutcome(result, isFirst);
  const line = { cartId, outcome: result.outcome };
  if (result.outcome === 'rejected') {
    logger.warn('payment', { ...line, reason: result.reason });
    return;
  }
  const { cart, refundCount } = result;
  const { status, mode } = cart;
  const duplicatePaymentId = duplicatePaymentIdOf(result, received);
  const excessPaymentId = excessPaymentIdOf(result, received);
  // In test mode, no money has moved.
  if (duplicatePaymentId !== undefined && mode === 'live') recordStageMetric('DuplicatePayments');
  if (excessPaymentId !== undefined && mode === 'live') recordStageMetric('ExcessRefunds');
  logger.info('payment', { ...line, status, refunds: refundCount, duplicatePaymentId, excessPaymentId });
};

/** Logs and counts an error that prevented the recording of a payment or a refund. */
export const reportFailedPaymentEvent = (error: unknown, { cartId }: ReceivedPaymentEvent): void =>
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
