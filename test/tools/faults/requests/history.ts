import type { OperationName } from '../../../../functions/operations.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { ApiErrorKind } from '../../../../lib/http/errors.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import type { BucketLimits } from '../../../../lib/token-bucket/token-bucket.ts';
import type { ApiResponse } from '../../../support/contract/contract.ts';

export type Expectation = 'created' | 'retrieved' | ApiErrorKind;

export interface SentRequest {
  readonly operation: OperationName;
  readonly keyName: string;
  readonly expects: Expectation;
  readonly cartId?: string;
  /** The body. Its `meta.marker` is the marker. */
  readonly payload?: string;
  /** Identifies the payload in the history. A retry has the same one. */
  readonly marker?: string;
  readonly idempotencyKey?: string;
}

/** `cut`: the connection ended or fell silent before the response was complete. */
export interface Outcome {
  readonly status: number | 'cut';
  readonly response?: ApiResponse;
  readonly cutReason?: string;
}

export interface Exchange extends Outcome {
  readonly number: number;
  readonly scenario: string;
  readonly stage: number;
  readonly request: SentRequest;
  /** By the machine's clock, which the service shares. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** By a monotonic clock. */
  readonly durationMs: number;
}

/** A time in which the database, or one service process, was made to fail. */
export interface FaultWindow {
  readonly scenario: string;
  readonly target: 'database' | { readonly stage: number };
  readonly fromMs: number;
  /** The fault is over; the service has yet to recover. */
  readonly toMs: number;
}

/**
 * Whether a request was in flight while the database, or its own process, failed.
 *
 * @param afterMs how long after the window a request still counts
 */
export const isUnderFault = (
  { stage, startedAtMs, endedAtMs }: Exchange,
  faults: readonly FaultWindow[],
  afterMs = 0,
): boolean =>
  faults.some(
    ({ target, fromMs, toMs }) =>
      (target === 'database' || target.stage === stage) &&
      startedAtMs <= toMs + afterMs &&
      endedAtMs >= fromMs,
  );

export interface KeyFacts extends BucketLimits {
  readonly storeId: string;
  readonly mode: Mode;
}

/** Every request with its outcome, and the carts in the database afterwards. */
export interface History {
  readonly exchanges: readonly Exchange[];
  readonly faults: readonly FaultWindow[];
  /** By name. A key that was never issued is not listed. */
  readonly keys: ReadonlyMap<string, KeyFacts>;
  readonly stages: number;
  readonly storedCarts: readonly Cart[];
}
