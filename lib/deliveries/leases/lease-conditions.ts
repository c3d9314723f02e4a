import type { Condition } from '../../database/expressions.ts';
import { FAILURES_OPEN, IS_CLOSED, isOpen } from '../../endpoints/breaker.ts';
import { EXISTS } from '../../endpoints/endpoint-item.ts';
import type { EndpointWithState } from '../../endpoints/endpoint.ts';
import { freeCondition, type Slot, untilAttributeOf } from '../../endpoints/lease-slots.ts';
import type { Lane } from '../queue/lanes.ts';
import type { Outcome } from '../records/delivery.ts';
import { LONG_MS } from '../sending/schedule.ts';

/** An attempt takes 10 s. The rest is for a database call and the errors of two clocks. */
export const LEASE_MS = 15_000;

/**
 * Why no lease is granted:
 *
 * - `waiting`: the slots are held, or the breaker is open and no probe is due.
 * - `contended`: other writers kept the call from the item.
 * - `dropped`: the endpoint is disabled.
 * - `notQuick`: in the quick queue only. The endpoint is slow or disabled, so the slow queue decides.
 * - `unknown`: the endpoint does not exist.
 */
export interface Denial {
  readonly outcome: Extract<Outcome, 'waiting' | 'contended' | 'dropped' | 'notQuick' | 'unknown'>;
  readonly endpoint?: EndpointWithState;
}

/**
 * The purpose of a lease:
 *
 * - `delivery`: an attempt
 * - `test`: a test event. Slot 0 does not wait for the time of the next probe
 * - `drain`: the parked deliveries. Slot 0 of a disabled endpoint is granted, too, to drop them
 */
type Purpose = 'delivery' | 'test' | 'drain';

/** The taker of a lease. */
export interface Taker {
  readonly purpose: Purpose;
  /** The queue of the message. The executions of the quick one are for quick endpoints only. */
  readonly lane: Lane;
}

/** A requirement of a lease, for DynamoDB and for the endpoint that a call has returned. */
interface Requirement {
  readonly expression: string;
  readonly isMet: (endpoint: EndpointWithState, nowMs: number) => boolean;
  /** The outcome of a lease that does not meet it. Default: `waiting` */
  readonly otherwise?: Denial['outcome'];
}

const ENABLED: Requirement = {
  expression: 'attribute_not_exists(disabled)',
  isMet: ({ disabled }) => disabled === undefined,
  otherwise: 'dropped',
};

const CLOSED_OR_DUE: Requirement = {
  expression: `(${IS_CLOSED} OR attribute_not_exists(probeAtMs) OR probeAtMs <= :now)`,
  isMet: ({ state }, nowMs) => !isOpen(state) || (state.probeAtMs ?? 0) <= nowMs,
};

const DISABLED_OR_DUE: Requirement = {
  expression: `(attribute_exists(disabled) OR ${CLOSED_OR_DUE.expression})`,
  isMet: (endpoint, nowMs) => endpoint.disabled !== undefined || CLOSED_OR_DUE.isMet(endpoint, nowMs),
};

/** A failure ends it, so the breaker is closed. */
const QUICK: Requirement = {
  expression: 'attribute_exists(isQuick)',
  isMet: ({ state }) => state.isQuick === true,
};

const freeOf = (slot: Slot): Requirement => ({
  expression: freeCondition(slot),
  isMet: ({ state }, nowMs) => (state[untilAttributeOf(slot)] ?? 0) <= nowMs,
});

/** A lease of slot 0 that ends earlier began more than `LONG_MS` ago. */
const recentUntilMs = (nowMs: number): number => nowMs + LEASE_MS - LONG_MS;

const SLOT_0_FREE_OR_RECENT: Requirement = {
  expression: `(${freeCondition(0)} OR ${untilAttributeOf(0)} >= :recent)`,
  isMet: ({ state: { lease0UntilMs = 0 } }, nowMs) =>
    lease0UntilMs <= nowMs || lease0UntilMs >= recentUntilMs(nowMs),
};

const SLOT_0: Readonly<Record<Purpose, readonly Requirement[]>> = {
  delivery: [ENABLED, CLOSED_OR_DUE],
  test: [ENABLED],
  drain: [DISABLED_OR_DUE],
};

const SLOT_1 = [ENABLED, QUICK, SLOT_0_FREE_OR_RECENT];

const QUICK_LANE = [ENABLED, QUICK].map((each) => ({ ...each, otherwise: 'notQuick' as const }));

/** The first one that is not met is the reason of the denial. */
const requirementsOf = (slot: Slot, { purpose, lane }: Taker): readonly Requirement[] => [
  ...(lane === 'quick' ? QUICK_LANE : []),
  ...(slot === 0 ? SLOT_0[purpose] : SLOT_1),
  freeOf(slot),
];

/** The condition that a slot can be granted. */
export const takeCondition = (slot: Slot, taker: Taker, nowMs: number): Condition => {
  const requirements = requirementsOf(slot, taker).map(({ expression }) => expression);
  const ConditionExpression = [EXISTS, ...requirements].join(' AND ');
  const values = { ':now': nowMs, ':open': FAILURES_OPEN, ':recent': recentUntilMs(nowMs) };
  // DynamoDB rejects a value that the expression does not use.
  const used = Object.entries(values).filter(([name]) => ConditionExpression.includes(name));
  return { ConditionExpression, ExpressionAttributeValues: Object.fromEntries(used) };
};

/** Why a slot is not granted. `undefined`: it can be. */
export const denialOf = (
  endpoint: EndpointWithState,
  slot: Slot,
  taker: Taker,
  nowMs: number,
): Denial | undefined => {
  const unmet = requirementsOf(slot, taker).find(({ isMet }) => !isMet(endpoint, nowMs));
  return unmet && { outcome: unmet.otherwise ?? 'waiting', endpoint };
};

/** Joins two conditions, which name different values. */
export const bothOf = (a: Condition, b: Condition): Condition => ({
  ConditionExpression: `${a.ConditionExpression} AND ${b.ConditionExpression}`,
  ExpressionAttributeValues: { ...a.ExpressionAttributeValues, ...b.ExpressionAttributeValues },
});

/** The condition that an endpoint exists with the address that it had. */
export const addressCondition = ({ addressVersion }: EndpointWithState): Condition =>
  addressVersion === undefined
    ? { ConditionExpression: `${EXISTS} AND attribute_not_exists(addressVersion)` }
    : {
        ConditionExpression: `${EXISTS} AND addressVersion = :version`,
        ExpressionAttributeValues: { ':version': addressVersion },
      };
