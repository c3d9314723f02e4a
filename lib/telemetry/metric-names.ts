export const METRICS_NAMESPACE = 'CartCheckout';

/** The metrics of requests, in their log lines. Their dimensions are the stage, the operation and the mode. */
export type RequestMetric =
  | 'ClientErrors'
  | 'ServerErrors'
  | 'CartsCreated'
  | 'CartsReplayed'
  | 'RequestsLimited'
  /** 429 responses because DynamoDB throttled the item of the key. They also count by the stage alone. */
  | 'KeysThrottled'
  | 'DatabaseUnavailable';

/** The metrics of payments, refunds and abandonments of carts. Their dimensions are the stage and the mode of the cart. */
export type CartMetric = 'CartsCompleted' | 'CartsAbandoned' | 'LatePayments' | 'PaymentsFailed' | 'Refunds';

/** The metrics of payments, events and timers that need an operator. Their dimension is the stage. */
export type StageMetric =
  | 'AmountMismatches'
  | 'DuplicatePayments'
  /** Refunds that exceed their payment. */
  | 'ExcessRefunds'
  | 'UnusablePayments'
  /** Refunds whose payment has been missing for a day. */
  | 'EarlyRefunds'
  /** Payment events that an outage or a defect kept from being recorded. They return to the queue. */
  | 'PaymentsInterrupted'
  /** Records of the stream of events that became dead letters. */
  | 'EventDeadLetters'
  /** Timers whose work failed. Each is retried. */
  | 'TimersFailed'
  /** The greatest delay of a timer in a run, in seconds, if it is above two minutes. */
  | 'TimerLagSeconds'
  /** How long an erasure of personal data has been due, in hours that have begun, if it is more than a day. */
  | 'ErasureLagHours';

/** The metrics of webhooks. Their dimensions are the stage and the mode of the endpoint. */
export type WebhookMetric =
  | 'DeliveriesSucceeded'
  /** Every failed attempt, including the last one of a delivery. */
  | 'DeliveryAttemptsFailed'
  /** Deliveries that failed for good. */
  | 'DeliveriesFailed'
  /** Endpoints that the service disabled. */
  | 'EndpointsDisabled'
  /** Messages and drains that a failure of our own kept from their endpoint. The messages return to the queue. */
  | 'DeliveriesInterrupted'
  /** The longest time that a message of a batch was due before its first receive, if it exceeds a healthy one. */
  | 'DeliveryLagSeconds';

/** The service's own metrics. */
export type MetricName = RequestMetric | CartMetric | StageMetric | WebhookMetric;
