/** The milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** The milliseconds of a day. */
export const DAY_MS = 86_400_000;

/**
 * Decision: a cart waits for its payment from 30 minutes to 30 days. Each stage has a limit within these bounds, in
 * `CART_EXPIRY_SECONDS`.
 */
export const CART_EXPIRY_MINUTES = { min: 30, max: 30 * 24 * 60 } as const;

/**
 * The least time between two test events of an endpoint, and between two resends.
 */
export const SEND_INTERVAL_SECONDS = 10;

/** The least time between two test events while the breaker is open. Each of them is then a probe. */
export const PROBE_INTERVAL_SECONDS = 60;
