import { describeFailure } from '../failure.ts';
import type { MetricName } from '../metric-names.ts';
import { count, logger } from '../telemetry.ts';
import type { RecordedPayment } from './record-payment.ts';

type Outcome = RecordedPayment | { readonly outcome: 'rejected'; readonly reason: 'malformedEvent' };
type Rejection = Extract<Outcome, { outcome: 'rejected' }>['reason'];

const REFUSAL_METRICS: Readonly<Record<Rejection, MetricName>> = {
  amountMismatch: 'AmountMismatches',
  conflictingEvent: 'UnusablePayments',
  malformedEvent: 'UnusablePayments',
  tooManyPayments: 'UnusablePayments',
  unknownCart: 'UnusablePayments',
};

/** A refused event comes again some times, and is counted the first time alone. */
const countOutcome = (outcome: Outcome, isFirstDelivery: boolean): void => {
  if (outcome.outcome === 'duplicate') return;
  if (outcome.outcome === 'rejected') {
    if (isFirstDelivery) count(REFUSAL_METRICS[outcome.reason]);
    return;
  }
  const { change, cart } = outcome;
  if (change?.to === 'payment_failed') count('PaymentsFailed');
  if (change?.to !== 'completed') return;
  count('CartsCompleted');
  if (cart.latePayment) count('LatePayments');
};

/** Which delivery of which event a report is about. */
export interface Delivery {
  readonly isFirst: boolean;
  /** Unless the event cannot be read. */
  readonly cartId?: string | undefined;
}

/**
 * Tells log and metrics what became of a payment event.
 *
 * @returns whether the event is done with: a refused one must come again, and so become a dead letter
 */
export const reportPayment = (outcome: Outcome, { isFirst, cartId }: Delivery): boolean => {
  countOutcome(outcome, isFirst);
  const isDone = outcome.outcome !== 'rejected';
  const line = { cartId, outcome: outcome.outcome };
  if (isDone) logger.info('payment', { ...line, status: outcome.cart.status });
  else logger.warn('payment', { ...line, reason: outcome.reason });
  return isDone;
};

/** Tells the log that a payment event could not be recorded for now; it must come again. */
export const reportFailedPayment = (error: unknown, { cartId }: Delivery): boolean => {
  logger.error('payment', { cartId, outcome: 'failed', cause: describeFailure(error) });
  return false;
};
