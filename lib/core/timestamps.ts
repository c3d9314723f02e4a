/** Date, time to the minute, seconds, fraction, offset. RFC 3339 allows lower-case letters. Only the fraction is optional. */
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const isDate = (date: string): boolean => {
  const parsed = new Date(`${date}T00:00:00Z`);
  // `Date` takes the 30th of February for the 1st or 2nd of March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
};

/** Leap seconds end a month in UTC. In Unix time, a leap second is the first second of the next month. */
const beginsMonth = (timeMs: number): boolean => /-01T00:00:00/.test(isoTime(timeMs));

/**
 * Parses a timestamp of RFC 3339. https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 *
 * @returns milliseconds since the Unix epoch, without further digits. `undefined` for any other text
 */
export const parseRfc3339 = (text: string): number | undefined => {
  const [, date = '', minute, second, fraction = '', offset = ''] = TIMESTAMP.exec(text) ?? [];
  if (!isDate(date)) return undefined;
  const timeAt = (seconds: string | undefined): number =>
    Date.parse(`${date}T${minute}:${seconds}${fraction}${offset.toUpperCase()}`);
  if (second !== '60') return timeAt(second);
  const leapSecondMs = timeAt('59') + 1_000;
  return beginsMonth(leapSecondMs) ? leapSecondMs : undefined;
};

/** The last moment that a Date can hold (ECMA-262, "Time Values and Time Range"). */
const TIME_MAX_MS = 8_640_000_000_000_000;

/** A time in UTC with milliseconds, such as `2026-01-31T12:00:00.000Z`. One beyond the last Date becomes the last Date. */
export const isoTime = (timeMs: number): string => new Date(Math.min(timeMs, TIME_MAX_MS)).toISOString();

/** As {@link isoTime}. `undefined` without a time. */
export const isoIfAny = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : isoTime(timeMs);
