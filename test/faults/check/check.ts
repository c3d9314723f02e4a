import type { History, Violation } from '../history.ts';
import { checkAnswers } from './answers.ts';
import { checkBuckets } from './buckets.ts';
import { checkCarts } from './carts.ts';
import { checkIdempotency } from './idempotency.ts';
import { checkRecoveries } from './recovery.ts';

/** Everything that must hold of a history, whatever was at fault; what does not. */
export const checkHistory = (history: History): Violation[] => [
  ...checkAnswers(history),
  ...checkCarts(history),
  ...checkIdempotency(history),
  ...checkBuckets(history),
  ...checkRecoveries(history),
];
