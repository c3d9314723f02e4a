/**
 * How often the queue delivers a payment event before it becomes a dead letter. In an outage, these deliveries take at least
 * 78 minutes. If the function always crashes, they take twelve: each time, the visibility timeout of 36 s returns the event.
 */
export const PAYMENT_RECEIVES_MAX = 20;

/** The delay until a rejected event returns. It becomes a dead letter within two minutes. */
export const REJECTED_DELAY_SECONDS = 5;

const FIRST_DELAY_SECONDS = 5;

/** The longest time from the end of an outage to the next attempt. */
const DELAY_MAX_SECONDS = 300;

/**
 * The delay until an event returns after a failure by an outage: 5, 15, 45 and 135 s, then 300 s. It has no jitter: the
 * concurrency of the function limits the load.
 *
 * @param receiveCount how often the queue has delivered the event, from 1
 */
export const outageDelaySeconds = (receiveCount: number): number =>
  Math.min(DELAY_MAX_SECONDS, FIRST_DELAY_SECONDS * 3 ** (receiveCount - 1));
