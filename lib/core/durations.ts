/** The milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** The milliseconds of a day. */
export const DAY_MS = 86_400_000;
