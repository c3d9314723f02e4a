/**
 * How often the queue delivers a payment event before it becomes a dead letter. A crash returns it after the queue's
 * visibility timeout of 36 s, so it becomes a dead letter after twelve minutes. An outage may last 78 minutes.
 */
export const PAYMENT_RECEIVES_MAX = 20;

/** The delay until a rejected event returns. It becomes a dead letter within two minutes. */
export const REJECTED_DELAY_SECONDS = 5;

const FIRST_DELAY_SECONDS = 5;

/** An event is recorded at most so long after the end of an outage. */
const DELAY_MAX_SECONDS = 300;

/**
 * The delay until an event returns that an outage prevented: 5, 15, 45 and 135 s, then 300 s. It has no jitter, because
 * the concurrency of the function limits the load of those that return together.
 *
 * @param receiveCount how often the queue has delivered the event, from 1
 */
export const outageDelaySeconds = (receiveCount: number): number =>
  Math.min(DELAY_MAX_SECONDS, FIRST_DELAY_SECONDS * 3 ** (receiveCount - 1));
