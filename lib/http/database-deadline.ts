import type { Context } from 'aws-lambda';
import { DATABASE_BUDGET_MS } from '../database/documents.ts';

/** The deadline of a request's database calls. */
interface DatabaseDeadline {
  readonly signal: AbortSignal;
  /** Ends the timer. The signal no longer aborts. */
  readonly cancel: () => void;
}

/**
 * The database calls end this long before the function's time limit of 6 s. This leaves 250 ms to respond to the client
 * within 5 s.
 */
const RESERVE_MS = 1_250;

/**
 * Starts the deadline of a request's database calls: 4 s from now, or less if the invocation has less time left. On the local
 * stage, an invocation that waited for its turn has less. Without time left, every call fails at once.
 *
 * The timer of an `AbortSignal.timeout` would outlive the request and cost an error each time.
 */
export const startDatabaseDeadline = (
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): DatabaseDeadline => {
  const timeoutMs = Math.min(DATABASE_BUDGET_MS, context.getRemainingTimeInMillis() - RESERVE_MS);
  if (timeoutMs <= 0) return { signal: AbortSignal.abort(), cancel: () => undefined };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
};
