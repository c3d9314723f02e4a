import { CLOCK_DIFFERENCE_MAX_MS } from '../core/clock.ts';
import { DAY_MS } from '../core/durations.ts';
import type { LoggedEvent } from './logged-event.ts';

/** Readers can read an event for at least this long. It is a day less than {@link EVENT_OLD_MS}, because a writer's clock may be ahead. */
export const EVENT_KEPT_MS = 30 * DAY_MS;

/** The age at which an event is old: the cursors before it expire, and the next event of its log says so. */
export const EVENT_OLD_MS = 31 * DAY_MS;

/** The age at which the table's TTL may delete an event: a day later, for writers whose clocks are behind. */
export const EVENT_DELETED_MS = 32 * DAY_MS;

type Dated = Pick<LoggedEvent, 'recordedAtMs'>;

/** Whether an event is dated further ahead than two right clocks can differ: the clock of its writer was wrong. */
export const isDatedAhead = ({ recordedAtMs }: Dated, nowMs: number): boolean =>
  recordedAtMs > nowMs + CLOCK_DIFFERENCE_MAX_MS;

/** Whether an event is so old that TTL may delete it soon, or has already deleted one after it. */
export const isOld = ({ recordedAtMs }: Dated, nowMs: number): boolean => recordedAtMs < nowMs - EVENT_OLD_MS;

/** Whether TTL may delete an event, and may have deleted others beside it. */
export const isDeletable = ({ recordedAtMs }: Dated, nowMs: number): boolean =>
  recordedAtMs < nowMs - EVENT_DELETED_MS;
