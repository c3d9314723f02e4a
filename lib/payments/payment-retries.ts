/**
 * How often the queue delivers a payment event before it becomes a dead letter. In an outage, these deliveries take at least
 * 78 minutes. If the function always crashes, they take twelve: each time, the visibility timeout of 36 s returns the event.
 */
export const PAYMENT_RECEIVES_MAX = 20;

/** The delay until a rejected event returns. It becomes a dead letter within two minutes. */
export const REJECTED_DELAY_SECONDS = 5;

/** How long a refund may wait for its payment before somebody must look at it. */
const EARLY_REFUND_SECONDS_MAX = 86_400;

/**
 * A message that SQS has delivered fewer than three times would count for the alarm on waiting payments.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
const WATCHED_RECEIVES = 2;

/** SQS hides a message for at most 12 hours. */
const HIDDEN_SECONDS_MAX = 11 * 3_600;

/**
 * The delay until a refund that still lacks its payment returns. Its sixth receive comes after a day.
 *
 * @param receiveCount how often the queue has delivered the event, from 1
 * @param waitedMs how long the event has been in the queue
 * @returns `undefined` once it has waited for a day
 */
export const earlyRefundDelaySeconds = (receiveCount: number, waitedMs: number): number | undefined => {
  const left = Math.ceil(EARLY_REFUND_SECONDS_MAX - waitedMs / 1_000);
  if (left <= 0) return undefined;
  return receiveCount <= WATCHED_RECEIVES ? REJECTED_DELAY_SECONDS : Math.min(left, HIDDEN_SECONDS_MAX);
};

const FIRST_DELAY_SECONDS = 5;

/** The longest time from the end of an outage to the next attempt. */
const DELAY_SECONDS_MAX = 300;

/**
 * The delay until an event returns after a failure by an outage: 5, 15, 45 and 135 s, then 300 s. It has no jitter: the
 * concurrency of the function limits the load.
 *
 * @param receiveCount how often the queue has delivered the event, from 1
 */
export const outageDelaySeconds = (receiveCount: number): number =>
  Math.min(DELAY_SECONDS_MAX, FIRST_DELAY_SECONDS * 3 ** (receiveCount - 1));
