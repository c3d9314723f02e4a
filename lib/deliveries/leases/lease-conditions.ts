import type { Condition } from '../../database/expressions.ts';
import { FAILURES_OPEN, IS_CLOSED, isOpen } from '../../endpoints/breaker.ts';
import { EXISTS } from '../../endpoints/endpoint-item.ts';
import type { EndpointWithState } from '../../endpoints/endpoint.ts';
import { freeCondition, type Slot, untilAttributeOf } from '../../endpoints/lease-slots.ts';
import type { Lane } from '../queue/lanes.ts';
import type { Outcome } from '../records/delivery.ts';
import { ATTEMPT_MS_MAX, LONG_MS } from '../sending/schedule.ts';

/** After a slower call, the rest of the lease would not cover an attempt. */
export const LEASE_CALL_MS = 2_000;

/** The longest time from the request for a lease to the attempt: the call, and a second for work and clock errors. */
export const START_MS = LEASE_CALL_MS + 1_000;

/**
 * After the attempt, two seconds are for the call that frees the slot, and the errors of two clocks. With a larger error, another
 * process may send a parked delivery, too.
 */
export const LEASE_MS = START_MS + ATTEMPT_MS_MAX + 2_000;

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
  /** The values that the expression uses. DynamoDB rejects others. */
  readonly values?: (nowMs: number) => Readonly<Record<string, number>>;
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
  values: (nowMs) => ({ ':now': nowMs, ':open': FAILURES_OPEN }),
  isMet: ({ state }, nowMs) => !isOpen(state) || (state.probeAtMs ?? 0) <= nowMs,
};

const DISABLED_OR_DUE: Requirement = {
  ...CLOSED_OR_DUE,
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
  values: (nowMs) => ({ ':now': nowMs }),
  isMet: ({ state }, nowMs) => (state[untilAttributeOf(slot)] ?? 0) <= nowMs,
});

/** A lease of slot 0 that ends earlier began more than `LONG_MS` ago. */
const recentUntilMs = (nowMs: number): number => nowMs + LEASE_MS - LONG_MS;

const SLOT_0_FREE_OR_RECENT: Requirement = {
  expression: `(${freeCondition(0)} OR ${untilAttributeOf(0)} >= :recent)`,
  values: (nowMs) => ({ ':now': nowMs, ':recent': recentUntilMs(nowMs) }),
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
  const requirements = requirementsOf(slot, taker);
  return {
    ConditionExpression: [EXISTS, ...requirements.map(({ expression }) => expression)].join(' AND '),
    ExpressionAttributeValues: Object.fromEntries(
      requirements.flatMap(({ values }) => Object.entries(values?.(nowMs) ?? {})),
    ),
  };
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
