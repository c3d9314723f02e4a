import type { Context } from 'aws-lambda';
import { type Deadline, startDeadline } from '../core/deadline.ts';
import { DATABASE_BUDGET_MS } from '../core/documents.ts';

/**
 * The database calls end this long before the function's time limit of 6 s. This leaves 250 ms to respond to the client
 * within 5 s.
 */
const RESERVE_MS = 1_250;

/**
 * Starts the deadline of a request's database calls: 4 s from now, or less if the invocation has less time left. On the local
 * stage, an invocation that waited for its turn has less. Without time left, every call fails at once.
 */
export const startDatabaseDeadline = (context: Pick<Context, 'getRemainingTimeInMillis'>): Deadline =>
  startDeadline(Math.min(DATABASE_BUDGET_MS, context.getRemainingTimeInMillis() - RESERVE_MS));
