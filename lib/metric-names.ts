export const METRICS_NAMESPACE = 'CartCheckout';

/** The metrics of requests, in their log lines. Their dimensions are the stage, the operation and the mode. */
export type RequestMetric =
  | 'ClientErrors'
  | 'ServerErrors'
  | 'CartsCreated'
  | 'CartsReplayed'
  | 'RequestsLimited'
  | 'DatabaseUnavailable';

/** The metrics of recorded payments. Their dimensions are the stage and the mode of the cart. */
export type PaymentMetric = 'CartsCompleted' | 'LatePayments' | 'PaymentsFailed';

/** The metrics of payments that need an operator. Their dimension is the stage. */
export type StageMetric =
  'AmountMismatches' | 'DuplicatePayments' | 'UnusablePayments' | 'WebhooksDisabled';

/** The service's own metrics. */
export type MetricName = RequestMetric | PaymentMetric | StageMetric;
