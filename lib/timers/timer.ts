import { crc32 } from 'node:zlib';
import type { Mode } from '../stores/mode.ts';

/** The work that deliveries and endpoints can wait for. Both modes share the tables, so test mode has its own kinds. */
type DeliveryKind = 'retry' | 'probe';

/**
 * The work that an item can wait for. `expiry` and `erasure`: a cart. `retry`: a delivery. `probe`: an endpoint whose
 * deliveries are parked.
 */
export type TimerKind = 'expiry' | 'erasure' | DeliveryKind | `test-${DeliveryKind}`;

/** The kind of work of a mode. `run-timers` handles live work first. */
export const kindOf = (kind: DeliveryKind, mode: Mode): TimerKind =>
  mode === 'live' ? kind : `test-${kind}`;

/**
 * The attributes by which an item waits: the keys of the index {@link TIMER_INDEX}. An item without them waits for nothing, and
 * is not in the index.
 */
export interface Timer {
  /** The kind of work and its shard, `kind#shard`, such as `expiry#07`. */
  readonly timer: string;
  /** When the work is due, or for an erasure when the cart was completed, in milliseconds since the Unix epoch. */
  readonly timerAtMs: number;
}

/** The attributes that the end or the move of a timer names, besides the item's key. */
export const TIMER_ATTRIBUTES = ['timer', 'timerAtMs'] as const satisfies readonly (keyof Timer)[];

/** The sparse index of the items that wait. It has only the keys of the items. */
export const TIMER_INDEX = 'timers';

/**
 * The shards of a kind. A partition of an index takes 1,000 writes a second, and an index that throttles holds back its table.
 * Eight take each creation and expiry at four times the 1,000 requests a second of a stage. `run-timers` queries each shard once
 * a minute.
 */
const SHARDS = 8;

const shardNumber = (index: number): string => String(index).padStart(2, '0');

/** The timer of an item. Items of one kind share {@link SHARDS} timers, by the hash of their id. */
export const timerOf = (kind: TimerKind, id: string, timerAtMs: number): Timer => ({
  timer: `${kind}#${shardNumber(crc32(id) % SHARDS)}`,
  timerAtMs,
});

/** All shards of a kind. */
export const shardsOf = (kind: TimerKind): readonly string[] =>
  Array.from({ length: SHARDS }, (_, index) => `${kind}#${shardNumber(index)}`);
