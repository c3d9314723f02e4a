import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Documents } from '../core/documents.ts';
import { type Changes, updateOf } from '../core/expressions.ts';
import { isItemThrottle, isTransactionConflict } from '../core/errors.ts';
import type { Clock } from '../core/clock.ts';
import { CONFLICT_PAUSES, retry } from '../core/retry.ts';
import { BREAKER_ATTRIBUTES, FAILURES_OPEN, isOpen, type StateChange } from './breaker.ts';
import type { EndpointRef, EndpointState } from './endpoint.ts';
import { endpointKey, type EndpointWithState, fromEndpointItem } from './endpoint-items.ts';

/** An attempt takes 10 s. The rest is for a database call and the errors of two clocks. */
const LEASE_MS = 15_000;

/** After a slower call, the rest of the lease would not cover an attempt. */
const LEASE_CALL_MS = 2_000;

/** The longest time from the request for a lease to the attempt: the call, and a second for work and clock errors. */
const START_MS = LEASE_CALL_MS + 1_000;

/** Afterwards, the lease ends by itself, and the result does not count for the breaker. */
const RELEASES_MAX = 6;

/** Two deliveries of an endpoint may be in flight. */
const SLOTS = [0, 1] as const;
type Slot = (typeof SLOTS)[number];

const attributesOf = (slot: Slot): readonly string[] => [`lease${slot}UntilMs`, `lease${slot}Owner`];

/** The attributes of both slots. */
export const SLOT_ATTRIBUTES = SLOTS.flatMap(attributesOf);

/** The attributes of an endpoint that the updates below name, besides its key. None is its address. */
export const LEASE_ATTRIBUTES: readonly string[] = [
  ...SLOT_ATTRIBUTES,
  'disabled',
  ...BREAKER_ATTRIBUTES,
  'lastSuccessAtMs',
];

/** The right to send one request to an endpoint. */
export interface Lease {
  /** The endpoint, as it was when the lease was granted. */
  readonly endpoint: EndpointWithState;
  readonly slot: Slot;
  readonly owner: string;
  /** The lease covers an attempt that starts by then. A later start means a frozen process, or a clock that was behind. */
  readonly startByMs: number;
}

/**
 * - `busy`: two requests are in flight.
 * - `open`: the breaker is open, and no probe is due or one is in flight.
 * - `disabled`: the service sends nothing to this endpoint.
 * - `removed`: the endpoint does not exist.
 */
export type LeaseResult =
  | { readonly outcome: 'leased'; readonly lease: Lease }
  | { readonly outcome: 'busy' | 'open' | 'disabled' | 'removed' };

type Item = Readonly<Record<string, unknown>>;

// A condition for DynamoDB stands beside the test of the item that it returns if the condition is false. The test of IS_CLOSED
// is `isOpen` of the breaker.
const IS_ENABLED = 'attribute_exists(id) AND attribute_not_exists(disabled)';

const isFree = (slot: Slot): string =>
  `(attribute_not_exists(lease${slot}UntilMs) OR lease${slot}UntilMs <= :now)`;
const isHeld = (item: Item, slot: Slot, nowMs: number): boolean =>
  Number(item[`lease${slot}UntilMs`] ?? 0) > nowMs;

const IS_CLOSED = 'attribute_not_exists(failures) OR failures < :open';
const MAY_PROBE = 'attribute_not_exists(probeAtMs) OR probeAtMs <= :now';
const mayProbe = ({ probeAtMs = 0 }: EndpointState, nowMs: number): boolean => probeAtMs <= nowMs;

/** Slot 0 alone takes probes, so that there is one at a time. */
const admits = (slot: Slot, ignoresBreaker: boolean): string => {
  if (ignoresBreaker) return '';
  return slot === 0 ? ` AND (${IS_CLOSED} OR ${MAY_PROBE})` : ` AND (${IS_CLOSED})`;
};

/** Why a slot was not granted. `other`: the other slot may be free. */
const rejectionOf = (
  item: Item | undefined,
  slot: Slot,
  nowMs: number,
  ignoresBreaker: boolean,
): 'busy' | 'open' | 'disabled' | 'removed' | 'other' => {
  if (!item) return 'removed';
  const { disabled, state } = fromEndpointItem(item);
  if (disabled) return 'disabled';
  const isOtherHeld = isHeld(item, slot === 0 ? 1 : 0, nowMs);
  if (ignoresBreaker || !isOpen(state)) return isOtherHeld ? 'busy' : 'other';
  // The breaker is open, so slot 0 alone takes a probe. After slot 1, try slot 0 if it is free and a probe is due.
  return slot === 1 && mayProbe(state, nowMs) && !isOtherHeld ? 'other' : 'open';
};

const slotsFor = (eventId: string): readonly Slot[] =>
  (eventId.codePointAt(eventId.length - 1) ?? 0) % 2 === 0 ? [0, 1] : [1, 0];

const createTake =
  (documents: Documents, TableName: string, now: Clock) =>
  /**
   * Takes a free slot of an endpoint for 15 s, by one conditional write, or two. While the breaker is open, only slot 0
   * is taken, for a probe whose time has come.
   *
   * @param eventId chooses the slot to try first
   * @param ignoresBreaker for a ping, which an operator sends
   */
  async (endpoint: EndpointRef, eventId: string, ignoresBreaker = false): Promise<LeaseResult> => {
    const owner = randomUUID();
    for (const slot of slotsFor(eventId)) {
      const nowMs = now();
      const command = new UpdateCommand({
        TableName,
        Key: endpointKey(endpoint),
        ...updateOf(
          { set: { [`lease${slot}UntilMs`]: nowMs + LEASE_MS, [`lease${slot}Owner`]: owner } },
          {
            ConditionExpression: `${IS_ENABLED} AND ${isFree(slot)}${admits(slot, ignoresBreaker)}`,
            ExpressionAttributeValues: { ':now': nowMs, ...(!ignoresBreaker && { ':open': FAILURES_OPEN }) },
          },
        ),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        // oxlint-disable-next-line no-await-in-loop -- the second slot is tried only if the first is taken
        const { Attributes = {} } = await documents.send(command, {
          abortSignal: AbortSignal.timeout(LEASE_CALL_MS),
        });
        const startByMs = nowMs + START_MS;
        return {
          outcome: 'leased',
          lease: { endpoint: fromEndpointItem(Attributes), slot, owner, startByMs },
        };
      } catch (error) {
        // Many messages compete for the item of one endpoint, and a rotation of its secret writes it in a transaction.
        if (isItemThrottle(error) || isTransactionConflict(error)) return { outcome: 'busy' };
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const item = error.Item && unmarshall(error.Item);
        const outcome = rejectionOf(item, slot, nowMs, ignoresBreaker);
        if (outcome !== 'other') return { outcome };
      }
    }
    return { outcome: 'busy' };
  };

/** The changes of an endpoint after an attempt. */
const changesOf = (change: StateChange): Changes =>
  change.outcome === 'succeeded'
    ? { set: { failures: 0, lastSuccessAtMs: change.atMs }, remove: ['failingSinceMs', 'probeAtMs'] }
    : {
        set: { probeAtMs: change.probeAtMs },
        setIfMissing: { failingSinceMs: change.atMs, disabled: change.disabled },
        add: { failures: 1 },
      };

/**
 * Whether another attempt to the same address took the slot, because this lease had expired: the result still counts. Without an
 * owner, an earlier release succeeded, but its response was lost. A result of an old address does not count for the new one.
 */
const isTakenAgain = (item: Item | undefined, { slot, endpoint }: Lease): boolean =>
  item?.[`lease${slot}Owner`] !== undefined && item['url'] === endpoint.url;

const createRelease = (documents: Documents, TableName: string) => {
  /** Returns the item if the condition is false, and `undefined` if another writer was writing it. */
  const update = async (
    { endpoint, slot, owner }: Lease,
    change: StateChange,
    isOwned: boolean,
  ): Promise<{ readonly item?: Item | undefined } | undefined> => {
    const changes = changesOf(change);
    const released = isOwned ? attributesOf(slot) : [];
    const command = new UpdateCommand({
      TableName,
      Key: endpointKey(endpoint),
      ...updateOf(
        { ...changes, remove: [...(changes.remove ?? []), ...released] },
        {
          ConditionExpression: isOwned ? `lease${slot}Owner = :owner` : 'attribute_exists(id)',
          ...(isOwned && { ExpressionAttributeValues: { ':owner': owner } }),
        },
      ),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(command);
      return {};
    } catch (error) {
      // A rotation of the secret writes the item at the same time.
      if (isTransactionConflict(error)) return undefined;
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { item: error.Item && unmarshall(error.Item) };
    }
  };
  const updateUntilDone = (lease: Lease, change: StateChange, isOwned: boolean) =>
    retry(() => update(lease, change, isOwned), { ...CONFLICT_PAUSES, attemptsMax: RELEASES_MAX });
  /** Frees the slot and stores the result of the attempt, by one write. */
  return async (lease: Lease, change: StateChange): Promise<void> => {
    const released = await updateUntilDone(lease, change, true);
    if (isTakenAgain(released?.item, lease)) await updateUntilDone(lease, change, false);
  };
};

/** Leases in the items of the table `webhookEndpoints`. Both methods throw when DynamoDB is slow, throttles or is down. */
export const createLeases = (documents: Documents, tableName: string, now: Clock) => ({
  take: createTake(documents, tableName, now),
  release: createRelease(documents, tableName),
});

export type Leases = ReturnType<typeof createLeases>;
