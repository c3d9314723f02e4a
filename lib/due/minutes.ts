export const MINUTE_MS = 60_000;

/** The start of the minute of a time, in milliseconds. */
export const minuteOf = (timeMs: number): number => Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;

/** The partition of a minute, such as `2026-01-15T12:30Z`. */
export const bucketOf = (minuteMs: number): string => `${new Date(minuteMs).toISOString().slice(0, 16)}Z`;

/** The minute of a bucket. `undefined` for the buckets of other work, such as parked deliveries. */
export const parseBucket = (bucket: unknown): number | undefined =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(String(bucket)) ? Date.parse(String(bucket)) : undefined;

/**
 * The last minutes that `run-due` reads again in each run. The clocks of writers differ, and a write takes time.
 * {@link isWrittenInTime} keeps one of these minutes in reserve for the difference.
 */
export const OVERLAP_MINUTES = 3;

/** Whether the next run certainly reads an entry of this minute that is stored by now. */
export const isWrittenInTime = (minuteMs: number, nowMs: number): boolean =>
  nowMs < minuteMs + OVERLAP_MINUTES * MINUTE_MS;
