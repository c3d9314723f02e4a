import type fc from 'fast-check';
import type { AnyCommand } from '../observe.ts';

/** The tables and keys of one side, in one sequence of calls. */
export interface Scope {
  /** A table with the partition key `pk`. */
  readonly one: string;
  /** A table with the partition key `pk` and the sort key `sk`, a number. */
  readonly two: string;
  /** A small table as `one`, for scans. */
  readonly few: string;
  /** A key that only this sequence uses. */
  readonly key: (id: number) => string;
  /** An idempotency token that only this sequence uses on this side. */
  readonly token: (id: number) => string;
}

// Each kind of call generates the parts that it takes.
// oxlint-disable-next-line typescript/no-explicit-any
export type Parts = any;

/** A call without its tables, so that it prints and shrinks well. */
export interface Call {
  readonly kind: string;
  readonly parts: Parts;
}

export interface CallKind {
  readonly weight: number;
  readonly parts: fc.Arbitrary<object>;
  readonly build: (parts: Parts, scope: Scope) => AnyCommand;
}
