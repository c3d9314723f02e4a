import type { BrokenRule } from '../../broken-rule.ts';
import type { History } from '../history.ts';
import { checkBuckets } from './buckets.ts';
import { checkCarts } from './carts.ts';
import { checkIdempotency } from './idempotency.ts';
import { checkRecoveries } from './recovery.ts';
import { checkResponses } from './responses.ts';

/** Checks every rule that must hold under every fault. Returns the violations. */
export const checkHistory = (history: History): BrokenRule[] =>
  [checkResponses, checkCarts, checkIdempotency, checkBuckets, checkRecoveries].flatMap((check) =>
    check(history),
  );
