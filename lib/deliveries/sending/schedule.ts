/**
 * The delay of each attempt after the one before, in seconds: Standard Webhooks 1.0.0, "Deliverability and reliability".
 * The first attempt has none. The attempts span about three days.
 */
const DELAYS_SECONDS = [
  0,
  5,
  5 * 60,
  30 * 60,
  2 * 3_600,
  5 * 3_600,
  10 * 3_600,
  14 * 3_600,
  20 * 3_600,
  24 * 3_600,
] as const;

/** Deliveries that failed at the same time do not all return at the same time. */
const JITTER = 0.1;

/**
 * The delay until the attempt after this one, ±10 %, in milliseconds.
 *
 * @param attempt from 1
 * @param random from 0 to below 1
 * @returns `undefined` after the last attempt
 */
export const nextDelayMs = (attempt: number, random: number): number | undefined => {
  const seconds = DELAYS_SECONDS[attempt];
  return seconds === undefined ? undefined : Math.round(1_000 * seconds * (1 + JITTER * (2 * random - 1)));
};

/** The attempts of a delivery, without the one that follows if the endpoint does not have the result of the last. */
export const ATTEMPTS_MAX = DELAYS_SECONDS.length;

/** The longest attempt: the DNS, the connection, the headers and the body together. */
export const ATTEMPT_MS_MAX = 10_000;

/**
 * After an attempt longer than this, the invocation makes no further attempt to that endpoint: a batch ends with its last message,
 * and another long attempt would occupy its execution. While an attempt takes longer, slot 1 is not granted.
 */
export const LONG_MS = 1_000;

/** A message that other writers keep from its endpoint returns after 1 to 3 s. */
const CONTENDED_SECONDS = { min: 1, max: 3 };

/**
 * The delay until a message that other writers kept from its endpoint returns, in whole seconds.
 *
 * @param random from 0 to below 1
 */
export const contendedDelaySeconds = (random: number): number =>
  CONTENDED_SECONDS.min + Math.floor(random * (CONTENDED_SECONDS.max - CONTENDED_SECONDS.min + 1));

/** The longest pause after our own failures. */
const FAILED_SECONDS_MAX = 300;

/**
 * The delay until a message returns after a failure of our own calls, in whole seconds: exponential backoff with full jitter.
 *
 * @param receiveCount how often the queue has delivered the message, from 1
 * @param random from 0 to below 1
 */
export const failedDelaySeconds = (receiveCount: number, random: number): number =>
  Math.ceil((1 - random) * Math.min(FAILED_SECONDS_MAX, 2 ** receiveCount));
