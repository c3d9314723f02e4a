import { isRetryable } from '../aws/errors.ts';
import { inParts } from '../core/in-parts.ts';
import type { LoggedEvent } from './logged-event.ts';

/** Sends events, with the same ids as before if they were sent before. Throws an outage, or why an event is invalid. */
export type EventSink = (events: readonly LoggedEvent[]) => Promise<void>;

/** The result of {@link fanOut}. */
export interface FanOutResult {
  /** How many events, from the first, need no retry: every sink has them, or they are in `rejected`. */
  readonly handled: number;
  /** The events that cannot be sent. A retry would fail too, so they become dead letters. */
  readonly rejected: readonly { readonly event: LoggedEvent; readonly error: unknown }[];
  /** Why the event after the handled ones must be retried, with all that follow. Absent if all are handled. */
  readonly outage?: unknown;
}

/** Events that are sent together, as many as one call of EventBridge takes. */
const CHUNK_SIZE = 10;

/** Sends events to every sink. It waits for all, so that nothing is in flight after an error. */
const send = async (events: readonly LoggedEvent[], sinks: readonly EventSink[]): Promise<void> => {
  const results = await Promise.allSettled(sinks.map((sink) => sink(events)));
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  // An error that no retry can fix takes precedence.
  if (errors.length > 0) throw errors.find((error) => !isRetryable(error)) ?? errors[0];
};

/**
 * Sends events in chunks. A chunk that fails without an outage is sent again, one event at a time: only an event that fails
 * alone is rejected.
 */
const sendInChunks = async (
  events: readonly LoggedEvent[],
  sinks: readonly EventSink[],
  chunkSize: number,
): Promise<FanOutResult> => {
  const rejected: { event: LoggedEvent; error: unknown }[] = [];
  for (const [index, chunk] of inParts(events, chunkSize).entries()) {
    const handled = index * chunkSize;
    // oxlint-disable no-await-in-loop -- an outage stops those behind
    try {
      await send(chunk, sinks);
    } catch (error) {
      if (isRetryable(error)) return { handled, rejected, outage: error };
      const [event] = chunk;
      if (event && chunkSize === 1) {
        rejected.push({ event, error });
        continue;
      }
      const each = await sendInChunks(chunk, sinks, 1);
      rejected.push(...each.rejected);
      if (each.outage !== undefined) return { ...each, handled: handled + each.handled, rejected };
    }
    // oxlint-enable no-await-in-loop
  }
  return { handled: events.length, rejected };
};

/**
 * Sends events to all sinks.
 *
 * It never throws: an error is either an event's own, or an outage after which the rest must be retried.
 */
export const fanOut = (events: readonly LoggedEvent[], sinks: readonly EventSink[]): Promise<FanOutResult> =>
  sendInChunks(events, sinks, CHUNK_SIZE);
