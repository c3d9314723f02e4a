import type { Item } from '../database/documents.ts';
import { type Condition, updateOf } from '../database/expressions.ts';
import { attributesIn, EXISTS, isRemoved } from './endpoint-item.ts';
import { freeCondition, isHeld, SLOTS } from './lease-slots.ts';

/**
 * The attributes that a removal removes. It keeps the identity and the leases, because an attempt in flight still counts for the
 * store. Otherwise, a store could occupy every execution: it would create and remove endpoints that hang.
 */
const REMOVED_ATTRIBUTES = /* @__PURE__ */ attributesIn('configuration', 'result', 'parking');

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
