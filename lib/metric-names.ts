export const METRICS_NAMESPACE = 'CartCheckout';

/** The service's own metrics. Each is a count with the stage as its dimension. */
export type MetricName =
  | 'CartsCreated'
  | 'CartsReplayed'
  | 'CartsCompleted'
  | 'LatePayments'
  | 'PaymentsFailed'
  | 'DuplicatePayments'
  | 'AmountMismatches'
  | 'UnusablePayments'
  | 'RequestsLimited'
  | 'DatabaseUnavailable';
