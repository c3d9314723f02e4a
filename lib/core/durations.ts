/** The milliseconds of a day. */
export const DAY_MS = 86_400_000;

/**
 * Decision: a cart waits for its payment from 30 minutes to 30 days. Each stage has a limit within these bounds, in
 * `CART_EXPIRY_SECONDS`.
 */
export const CART_EXPIRY_MINUTES = { min: 30, max: 30 * 24 * 60 } as const;

/**
 * A test event of an endpoint comes at least this long after the one before, and so does a resend by its merchant. An attempt
 * takes at most 10 s, so even the slowest receiver takes them faster than they come.
 */
export const SEND_INTERVAL_SECONDS = 10;

/** While the breaker of an endpoint is open, a test event is a probe, and comes at least this long after the one before. */
export const PROBE_INTERVAL_SECONDS = 60;
