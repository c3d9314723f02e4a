import { isRetryable } from '../aws/errors.ts';
import { inParts } from '../core/in-parts.ts';
import type { LoggedEvent } from './logged-event.ts';

/** Sends events, with the same ids as before if they were sent before. Throws an outage, or why an event is invalid. */
export type EventSink = (events: readonly LoggedEvent[]) => Promise<void>;

/** An event that cannot be sent. A retry would fail too, so it becomes a dead letter. */
interface RejectedEvent {
  readonly event: LoggedEvent;
  readonly error: unknown;
}

/** The result of {@link fanOut}. */
export interface FanOutResult {
  /** How many events, from the first, need no retry: every sink has them, or they are in `rejected`. */
  readonly handled: number;
  readonly rejected: readonly RejectedEvent[];
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

/** Sends events one at a time. One that fails alone, without an outage, is rejected. */
const sendEach = async (
  events: readonly LoggedEvent[],
  sinks: readonly EventSink[],
): Promise<FanOutResult> => {
  const rejected: RejectedEvent[] = [];
  for (const [handled, event] of events.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- an outage stops those behind
      await send([event], sinks);
    } catch (error) {
      if (isRetryable(error)) return { handled, rejected, outage: error };
      rejected.push({ event, error });
    }
  }
  return { handled: events.length, rejected };
};

/** Sends events together. If that fails without an outage, one of them is invalid, so it sends each alone. */
const sendChunk = async (
  chunk: readonly LoggedEvent[],
  sinks: readonly EventSink[],
): Promise<FanOutResult> => {
  try {
    await send(chunk, sinks);
    return { handled: chunk.length, rejected: [] };
  } catch (error) {
    return isRetryable(error) ? { handled: 0, rejected: [], outage: error } : sendEach(chunk, sinks);
  }
};

/**
 * Sends events to all sinks.
 *
 * It never throws: an error is either an event's own, or an outage after which the rest must be retried.
 */
export const fanOut = async (
  events: readonly LoggedEvent[],
  sinks: readonly EventSink[],
): Promise<FanOutResult> => {
  let handled = 0;
  const rejected: RejectedEvent[] = [];
  for (const chunk of inParts(events, CHUNK_SIZE)) {
    // oxlint-disable-next-line no-await-in-loop -- an outage stops those behind
    const sent = await sendChunk(chunk, sinks);
    handled += sent.handled;
    rejected.push(...sent.rejected);
    if (sent.outage !== undefined) return { handled, rejected, outage: sent.outage };
  }
  return { handled, rejected };
};
