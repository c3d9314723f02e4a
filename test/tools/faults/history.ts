import type { Mode } from '../../../lib/api-keys/api-key.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { ApiErrorKind } from '../../../lib/http/errors.ts';
import type { ApiResponse } from '../../support/contract.ts';

/** What a request must be answered where nothing stands in its way. */
export type Expectation = 'created' | 'retrieved' | ApiErrorKind;

interface AnyRequest {
  /** The name of its API key in the history. */
  readonly keyName: string;
  readonly expects: Expectation;
}

export interface CreateRequest extends AnyRequest {
  readonly operation: 'create';
  /** The body; it carries the marker as `meta.marker`. */
  readonly payload: string;
  /** Tells this payload from every other of the history; a retry has the same. */
  readonly marker: string;
  readonly idempotencyKey?: string;
}

export interface RetrieveRequest extends AnyRequest {
  readonly operation: 'retrieve';
  readonly cartId: string;
}

export type SentRequest = CreateRequest | RetrieveRequest;

/** `cut`: the connection ended, or nothing came, before the answer was whole. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: ApiResponse }
  | { readonly kind: 'cut'; readonly reason: string };

/** One request and what became of it. */
export interface Exchange {
  /** Counts the requests of the history. */
  readonly number: number;
  readonly scenario: string;
  /** Which of the service's processes it was sent to. */
  readonly stage: number;
  readonly request: SentRequest;
  /** By the machine's clock, which the service reads too: just before the first byte, just after the last. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** By a clock that is never set. */
  readonly durationMs: number;
  readonly outcome: Outcome;
}

/** A time in which something was made to fail: the database, for all, or one of the service's processes. */
export interface FaultWindow {
  readonly scenario: string;
  readonly victim: 'database' | { readonly stage: number };
  readonly fromMs: number;
  /** From here on nothing is at fault any more; the service has yet to recover. */
  readonly toMs: number;
}

/**
 * Whether a request was under way while the database, or the process that it was sent to, was at fault; of connections cut
 * and answers lost, each call of the database has its chance.
 */
export const isUnderFault = (
  { stage, startedAtMs, endedAtMs }: Exchange,
  faults: readonly FaultWindow[],
): boolean =>
  faults.some(
    ({ victim, fromMs, toMs }) =>
      (victim === 'database' || victim.stage === stage) && startedAtMs <= toMs && endedAtMs >= fromMs,
  );

/** An API key of the history. */
export interface KeyFacts extends BucketLimits {
  readonly storeId: string;
  readonly mode: Mode;
}

/** All that was seen, and what the database holds afterwards. */
export interface History {
  readonly exchanges: readonly Exchange[];
  readonly faults: readonly FaultWindow[];
  /** By name. A name that is not here is that of a key that was never issued. */
  readonly keys: ReadonlyMap<string, KeyFacts>;
  readonly stages: number;
  readonly storedCarts: readonly Cart[];
}

/** A rule of the history that did not hold. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
  /** Those that show it. */
  readonly exchanges: readonly Exchange[];
  /** Where no exchange shows it. */
  readonly scenario?: string;
}

/** The answer of an exchange that has one. */
export const responseOf = ({ outcome }: Exchange): ApiResponse | undefined =>
  outcome.kind === 'answer' ? outcome.answer : undefined;

/** The status of an exchange, or `cut`. */
export const statusOf = (exchange: Exchange): number | 'cut' => responseOf(exchange)?.status ?? 'cut';

/** Whether a request did what it asked for. */
export const isSuccess = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status === 200 || status === 201;
};

/** The values under each key, in the order in which they came. */
export const groupBy = <Value, Key>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> => {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
};
