import type { Item } from '../database/documents.ts';
import { type Condition, updateOf } from '../database/expressions.ts';
import { type EndpointItem, EXISTS, isRemoved } from './endpoint-item.ts';
import { freeCondition, isHeld, SLOTS } from './lease-slots.ts';

/**
 * Whether the item of a removed endpoint keeps each attribute: its key, its leases, and when it was created and removed. An attempt
 * in flight still counts for the store. Otherwise, a store could occupy every execution: it would create and remove endpoints that
 * hang. The table has every attribute, because UpdateItem removes only what it names.
 */
const ATTRIBUTES = {
  log: 'kept',
  id: 'kept',
  url: 'removed',
  events: 'removed',
  label: 'removed',
  createdAtMs: 'kept',
  createdByKeyId: 'removed',
  requestFingerprint: 'removed',
  disabled: 'removed',
  secretVersion: 'removed',
  addressVersion: 'removed',
  testedAtMs: 'removed',
  resentAtMs: 'removed',
  failures: 'removed',
  failingSinceMs: 'removed',
  probeAtMs: 'removed',
  lastSuccessAtMs: 'removed',
  isQuick: 'removed',
  lease0UntilMs: 'kept',
  lease0Owner: 'kept',
  lease1UntilMs: 'kept',
  lease1Owner: 'kept',
  parks: 'removed',
  drainedParks: 'removed',
  timer: 'removed',
  timerAtMs: 'removed',
  removedAtMs: 'kept',
  deleteAtSeconds: 'kept',
  schemaVersion: 'removed',
} satisfies Readonly<Record<keyof EndpointItem, 'kept' | 'removed'>>;

const REMOVED_ATTRIBUTES = /* @__PURE__ */ Object.entries(ATTRIBUTES).flatMap(([name, rule]) =>
  rule === 'removed' ? name : [],
);

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
