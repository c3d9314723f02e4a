import { isOutage } from '../core/errors.ts';
import type { LoggedEvent } from './logged-event.ts';

/** Sends events, with the same ids as before if they were sent before. Throws an outage, or why an event is invalid. */
export type EventSink = (events: readonly LoggedEvent[]) => Promise<void>;

/** The result of {@link fanOut}. */
export interface FanOutResult {
  /** How many events, from the first, need no retry: every sink has them, or they are in `rejected`. */
  readonly handled: number;
  /** The events that cannot be sent. A retry would fail too, so set them aside. */
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
  if (errors.length > 0) throw errors.find((error) => !isOutage(error)) ?? errors[0];
};

/**
 * Sends the events of a chunk one by one, after they failed together. An event that fails again without an outage is
 * rejected, and those behind it are sent.
 */
const sendEach = async (
  chunk: readonly LoggedEvent[],
  sinks: readonly EventSink[],
): Promise<FanOutResult> => {
  const rejected: { event: LoggedEvent; error: unknown }[] = [];
  for (const [handled, event] of chunk.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- an outage stops those behind
      await send([event], sinks);
    } catch (error) {
      if (isOutage(error)) return { handled, rejected, outage: error };
      rejected.push({ event, error });
    }
  }
  return { handled: chunk.length, rejected };
};

const sendChunk = async (
  chunk: readonly LoggedEvent[],
  sinks: readonly EventSink[],
): Promise<FanOutResult> => {
  try {
    await send(chunk, sinks);
    return { handled: chunk.length, rejected: [] };
  } catch (error) {
    if (isOutage(error)) return { handled: 0, rejected: [], outage: error };
    return sendEach(chunk, sinks);
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
  const rejected: { event: LoggedEvent; error: unknown }[] = [];
  for (let handled = 0; handled < events.length; handled += CHUNK_SIZE) {
    const chunk = events.slice(handled, handled + CHUNK_SIZE);
    // oxlint-disable-next-line no-await-in-loop -- an outage stops those behind
    const result = await sendChunk(chunk, sinks);
    rejected.push(...result.rejected);
    if (result.outage !== undefined) {
      return { handled: handled + result.handled, rejected, outage: result.outage };
    }
  }
  return { handled: events.length, rejected };
};
