import type { History, Violation } from '../history.ts';
import { checkResponses } from './responses.ts';
import { checkBuckets } from './buckets.ts';
import { checkCarts } from './carts.ts';
import { checkIdempotency } from './idempotency.ts';
import { checkRecoveries } from './recovery.ts';

/** Everything that must hold of a history, whatever was at fault; what does not. */
export const checkHistory = (history: History): Violation[] => [
  ...checkResponses(history),
  ...checkCarts(history),
  ...checkIdempotency(history),
  ...checkBuckets(history),
  ...checkRecoveries(history),
];
