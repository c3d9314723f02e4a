import type { Item } from '../database/documents.ts';
import { type Condition, updateOf } from '../database/expressions.ts';
import { TIMER_ATTRIBUTES } from '../timers/timer.ts';
import { RESULT_ATTRIBUTES } from './breaker.ts';
import { EXISTS, isRemoved } from './endpoint-items.ts';
import { freeCondition, isHeld, SLOTS } from './lease-slots.ts';

/**
 * The item of a removed endpoint keeps only its key, its leases and the time of its creation. An attempt in flight still counts
 * for the store. Otherwise, a store could occupy every execution: it would delete and create endpoints that hang. The list has
 * all other attributes: UpdateItem removes only what it names, and an attempt may take a lease at the same time.
 */
const REMOVED_ATTRIBUTES: readonly string[] = [
  'url',
  'events',
  'label',
  'createdByKeyId',
  'requestFingerprint',
  'disabled',
  'secretVersion',
  'addressVersion',
  'testedAtMs',
  'resentAtMs',
  'parks',
  'drainedParks',
  'schemaVersion',
  ...RESULT_ATTRIBUTES,
  ...TIMER_ATTRIBUTES,
];

/** Longer than any lease. Creations delete the items earlier, so a store has few of them. */
const KEPT_SECONDS = 3_600;

/**
 * The update that removes an endpoint.
 *
 * @param condition Default: the endpoint exists
 */
export const removalAt = (nowMs: number, condition: Condition = { ConditionExpression: EXISTS }) =>
  updateOf(
    {
      set: {
        removedAtMs: nowMs,
        deleteAtSeconds: Math.ceil(nowMs / 1_000) + KEPT_SECONDS,
      },
      remove: REMOVED_ATTRIBUTES,
    },
    condition,
  );

/** Whether an item counts among the endpoints of its store: it exists, or attempts to it may be in flight. */
export const countsAsEndpoint = (item: Item, nowMs: number): boolean =>
  !isRemoved(item) || SLOTS.some((slot) => isHeld(item, slot, nowMs));

/** The condition that no lease of a removed endpoint is held. */
export const unleasedCondition = (nowMs: number) => ({
  ConditionExpression: ['attribute_exists(removedAtMs)', ...SLOTS.map(freeCondition)].join(' AND '),
  ExpressionAttributeValues: { ':now': nowMs },
});
