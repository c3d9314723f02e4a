import type { LoggedEvent, LogId, EventBody } from './store-event.ts';

/** An event that is not in its log yet. */
export interface NewEvent extends LogId, Pick<LoggedEvent, 'id' | 'type' | 'cartId'> {
  /** The event as merchants receive it, if it is recorded at this time. */
  readonly bodyAt: (recordedAtMs: number) => EventBody;
}

/** Gives an event its number and time. */
export const logEvent = (
  { bodyAt, ...event }: NewEvent,
  sequence: number,
  recordedAtMs: number,
): LoggedEvent => ({ ...event, sequence, recordedAtMs, body: JSON.stringify(bodyAt(recordedAtMs)) });
