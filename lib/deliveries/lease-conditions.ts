import type { Item } from '../database/documents.ts';
import type { Condition } from '../database/expressions.ts';
import { FAILURES_OPEN, isOpen } from '../endpoints/breaker.ts';
import { LONG_MS, type Lane } from './lanes.ts';
import { type EndpointWithState, existingEndpoint, EXISTS } from '../endpoints/endpoint-items.ts';
import { isFree, isHeld, type Slot, untilOf } from '../endpoints/lease-slots.ts';
import type { Outcome } from './delivery.ts';

/** An attempt takes 10 s. The rest is for a database call and the errors of two clocks. */
export const LEASE_MS = 15_000;

/**
 * Why no lease is granted:
 *
 * - `waiting`: the slots are held, or the breaker is open and no probe is due.
 * - `contended`: other writers kept the call from the item.
 * - `dropped`: the endpoint is disabled.
 * - `notQuick`: the endpoint is not quick, or it is disabled. Only in the quick queue.
 * - `unknown`: the endpoint does not exist.
 */
export interface Rejection {
  readonly outcome: Extract<Outcome, 'waiting' | 'contended' | 'dropped' | 'notQuick' | 'unknown'>;
  readonly endpoint?: EndpointWithState;
}

// `isHeld`, `isSlot0Long` and `isOpen` must agree with the conditions: they find the reason in the item for which a condition was false.
const IS_ENABLED = 'attribute_not_exists(disabled)';

/** A lease of slot 0 that ends earlier began more than `LONG_MS` ago. */
const recentUntilMs = (nowMs: number): number => nowMs + LEASE_MS - LONG_MS;
const IS_SLOT_0_LONG = `(${untilOf(0)} > :now AND ${untilOf(0)} < :recent)`;
const isSlot0Long = (item: Item, nowMs: number): boolean =>
  isHeld(item, 0, nowMs) && Number(item[untilOf(0)]) < recentUntilMs(nowMs);

const IS_CLOSED = '(attribute_not_exists(failures) OR failures < :open)';
const MAY_PROBE = '(attribute_not_exists(probeAtMs) OR probeAtMs <= :now)';
const IS_QUICK = 'attribute_exists(isQuick)';

/**
 * The purpose of a lease:
 *
 * - `delivery`: an attempt
 * - `test`: a test event. Slot 0 does not wait for the time of the next probe
 * - `drain`: the parked deliveries. Slot 0 of a disabled endpoint is granted, too, to drop them
 */
export type Purpose = 'delivery' | 'test' | 'drain';

/** The taker of a lease. */
export interface Taker {
  readonly purpose: Purpose;
  /** The queue of the message. The executions of the quick one are for quick endpoints only. */
  readonly lane: Lane;
}

const SLOT_0 = {
  delivery: [IS_ENABLED, `(${IS_CLOSED} OR ${MAY_PROBE})`],
  test: [IS_ENABLED],
  drain: [`(attribute_exists(disabled) OR ${IS_CLOSED} OR ${MAY_PROBE})`],
} as const satisfies Record<Purpose, readonly string[]>;

/** In the quick queue. A failure removes `isQuick`, so the breaker is closed. */
const SLOT_0_OF_QUICK = [IS_ENABLED, IS_QUICK];

const SLOT_1 = [IS_ENABLED, IS_CLOSED, IS_QUICK, `NOT ${IS_SLOT_0_LONG}`];

/** The condition that a slot can be granted. */
export const takeCondition = (slot: Slot, { purpose, lane }: Taker, nowMs: number): Condition => {
  const ofSlot0 = lane === 'quick' ? SLOT_0_OF_QUICK : SLOT_0[purpose];
  const conditions = [EXISTS, isFree(slot), ...(slot === 0 ? ofSlot0 : SLOT_1)];
  const namesBreaker = slot === 1 || (lane === 'slow' && purpose !== 'test');
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeValues: {
      ':now': nowMs,
      ...(namesBreaker && { ':open': FAILURES_OPEN }),
      ...(slot === 1 && { ':recent': recentUntilMs(nowMs) }),
    },
  };
};

/** Why a slot was not granted, from the item alone. `undefined`: slot 1 may be. */
export const rejectionOf = (
  item: Item | undefined,
  nextSlot: Slot | undefined,
  lane: Lane,
  nowMs: number,
): Rejection | undefined => {
  const endpoint = existingEndpoint(item);
  if (!item || !endpoint) return { outcome: 'unknown' };
  const { disabled, state } = endpoint;
  if (lane === 'quick' && (disabled || !state.isQuick)) return { outcome: 'notQuick', endpoint };
  if (disabled) return { outcome: 'dropped', endpoint };
  const isQuick = state.isQuick === true && !isOpen(state);
  const isOtherFree = nextSlot === 1 && isQuick && !isHeld(item, 1, nowMs) && !isSlot0Long(item, nowMs);
  return isOtherFree ? undefined : { outcome: 'waiting', endpoint };
};

/** Joins two conditions, which name different values. */
export const bothOf = (a: Condition, b: Condition): Condition => ({
  ConditionExpression: `${a.ConditionExpression} AND ${b.ConditionExpression}`,
  ExpressionAttributeValues: { ...a.ExpressionAttributeValues, ...b.ExpressionAttributeValues },
});

/** The condition that an endpoint exists with the address that it had. */
export const hasAddressOf = ({ addressVersion }: EndpointWithState): Condition =>
  addressVersion === undefined
    ? { ConditionExpression: `${EXISTS} AND attribute_not_exists(addressVersion)` }
    : {
        ConditionExpression: `${EXISTS} AND addressVersion = :version`,
        ExpressionAttributeValues: { ':version': addressVersion },
      };
