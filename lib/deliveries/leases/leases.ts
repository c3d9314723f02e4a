import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isHotKeyThrottle, isTransactionConflict } from '../../aws/errors.ts';
import type { Clock } from '../../core/clock.ts';
import { resultOfFailure } from '../../database/conditional-writes.ts';
import type { DocumentClient, Item } from '../../database/documents.ts';
import { type Changes, type Condition, updateOf } from '../../database/expressions.ts';
import type { StateChange } from '../../endpoints/breaker.ts';
import { attributesIn, endpointKey, existingEndpoint } from '../../endpoints/endpoint-item.ts';
import { type EndpointRef, type EndpointWithState, hasParked } from '../../endpoints/endpoint.ts';
import { ownerAttributeOf, type Slot, SLOTS, untilAttributeOf } from '../../endpoints/lease-slots.ts';
import { createEndpointUpdate, type UpdateEndpoint } from './endpoint-update.ts';
import {
  addressCondition,
  bothOf,
  type Denial,
  denialOf,
  LEASE_CALL_MS,
  LEASE_MS,
  START_MS,
  takeCondition,
  type Taker,
} from './lease-conditions.ts';

const slotAttributesOf = (slot: Slot): readonly string[] => [untilAttributeOf(slot), ownerAttributeOf(slot)];

/** The attributes of an endpoint that its attempts name, besides its key and timer. None is its address. */
export const LEASE_ATTRIBUTES: readonly string[] = [
  ...attributesIn('lease', 'result'),
  'disabled',
  'addressVersion',
  'removedAtMs',
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

/** By default, the taker is a `delivery` of the queue `slow`, which has messages of every endpoint. */
export interface TakeOptions extends Partial<Taker> {
  /** The slots to try, in this order. Default: both, slot 0 first */
  readonly slots?: readonly Slot[] | undefined;
}

const createTakeSlot =
  (documents: DocumentClient, TableName: string, now: Clock) =>
  async (ref: EndpointRef, slot: Slot, taker: Taker): Promise<Lease | Denial> => {
    const owner = randomUUID();
    const nowMs = now();
    const command = new UpdateCommand({
      TableName,
      Key: endpointKey(ref),
      ...updateOf(
        { set: { [untilAttributeOf(slot)]: nowMs + LEASE_MS, [ownerAttributeOf(slot)]: owner } },
        takeCondition(slot, taker, nowMs),
      ),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    let item: Item | undefined;
    try {
      const options = { abortSignal: AbortSignal.timeout(LEASE_CALL_MS) };
      item = (await documents.send(command, options)).Attributes;
    } catch (error) {
      // Many messages compete for the item of one endpoint, and a rotation of its secret writes it in a transaction.
      if (isHotKeyThrottle(error) || isTransactionConflict(error)) return { outcome: 'contended' };
      ({ item } = resultOfFailure(error));
    }
    const endpoint = existingEndpoint(item);
    if (!endpoint) return { outcome: 'unknown' };
    // Also after a false condition: the SDK may have repeated a call whose response was lost.
    if (item?.[ownerAttributeOf(slot)] === owner)
      return { endpoint, slot, owner, startByMs: nowMs + START_MS };
    return denialOf(endpoint, slot, taker, nowMs) ?? { outcome: 'contended' };
  };

const createTake =
  (takeSlot: ReturnType<typeof createTakeSlot>, now: Clock) =>
  /**
   * Takes a free slot of an endpoint for `LEASE_MS`, by one conditional write. It tries another slot only if the first write
   * shows that it can be granted. An item that throttles is `contended`.
   */
  async (
    ref: EndpointRef,
    { slots = SLOTS, purpose = 'delivery', lane = 'slow' }: TakeOptions = {},
  ): Promise<Lease | Denial> => {
    const taker = { purpose, lane };
    const [first = 0, second] = slots;
    const taken = await takeSlot(ref, first, taker);
    const mayTakeSecond =
      second !== undefined &&
      'outcome' in taken &&
      taken.endpoint !== undefined &&
      !denialOf(taken.endpoint, second, taker, now());
    return mayTakeSecond ? takeSlot(ref, second, taker) : taken;
  };

/** The changes of an endpoint after an attempt. */
const changesOf = (change: StateChange): Changes =>
  change.outcome === 'succeeded'
    ? {
        set: { failures: 0, lastSuccessAtMs: change.atMs, isQuick: change.isQuick || undefined },
        remove: ['failingSinceMs', 'probeAtMs', ...(change.isQuick ? [] : ['isQuick'])],
      }
    : {
        set: { probeAtMs: change.probeAtMs },
        setIfMissing: { failingSinceMs: change.atMs, disabled: change.disabled },
        add: { failures: 1 },
        remove: ['isQuick'],
      };

const ownerCondition = ({ slot, owner }: Lease): Condition => ({
  ConditionExpression: `${ownerAttributeOf(slot)} = :owner`,
  ExpressionAttributeValues: { ':owner': owner },
});

/**
 * Frees the slot without a result. Returns the endpoint as it is afterwards. `undefined` if it was removed, or if other writers
 * always came first.
 */
const createFree =
  (update: UpdateEndpoint) =>
  async (lease: Lease): Promise<EndpointWithState | undefined> => {
    const changes = { remove: slotAttributesOf(lease.slot) };
    const freed = await update(endpointKey(lease.endpoint), changes, ownerCondition(lease));
    return existingEndpoint(freed?.item);
  };

const createRelease = (update: UpdateEndpoint, free: ReturnType<typeof createFree>) => {
  /**
   * Frees the slot and stores the result of the attempt, by one write. A result of an old address only frees the slot.
   *
   * @returns `isStored`: whether the endpoint has the result. It has not if its address has changed since the lease was granted,
   *   if it was removed, or if other writers always came first. `endpoint`: as it is afterwards. Absent if it was removed, or other
   *   writers kept the release from its item
   */
  return async (
    lease: Lease,
    change: StateChange,
  ): Promise<{ readonly isStored: boolean; readonly endpoint?: EndpointWithState | undefined }> => {
    const key = endpointKey(lease.endpoint);
    const changes = changesOf(change);
    const released = { ...changes, remove: [...(changes.remove ?? []), ...slotAttributesOf(lease.slot)] };
    const own = await update(key, released, bothOf(addressCondition(lease.endpoint), ownerCondition(lease)));
    const endpoint = existingEndpoint(own?.item);
    if (!own) return { isStored: false };
    if (own.applied) return { isStored: true, endpoint };
    const isStored = endpoint !== undefined && endpoint.addressVersion === lease.endpoint.addressVersion;
    const owner = own.item?.[ownerAttributeOf(lease.slot)];
    if (owner === lease.owner) return { isStored, endpoint: await free(lease) };
    // The lease had expired, and another attempt took the slot: the result still counts. Without an owner, an earlier release
    // succeeded, but its response was lost.
    if (owner === undefined || !isStored) return { isStored, endpoint };
    // If its response is lost, a failure counts twice, so the breaker opens one failure early.
    const late = await update(key, changes, addressCondition(lease.endpoint));
    return { isStored: late?.applied === true, endpoint: existingEndpoint(late?.item) };
  };
};

/** Leases in the items of the table `webhookEndpoints`. All methods throw when DynamoDB is slow, throttles or is down. */
export const createLeases = (documents: DocumentClient, tableName: string, now: Clock) => {
  const update = createEndpointUpdate(documents, tableName);
  const free = createFree(update);
  return {
    take: createTake(createTakeSlot(documents, tableName, now), now),
    release: createRelease(update, free),
    free,

    /**
     * Frees the slot of a drain that has found no parked delivery, and notes that.
     *
     * @returns `false` if a delivery was parked since the lease was granted: look again
     */
    async freeDrained(lease: Lease): Promise<boolean> {
      const { parks } = lease.endpoint.state;
      const changes = { set: { drainedParks: parks }, remove: slotAttributesOf(lease.slot) };
      const freed = await update(endpointKey(lease.endpoint), changes, ownerCondition(lease));
      // Also if the condition is false: the SDK may have repeated a call whose response was lost.
      const endpoint = existingEndpoint(freed?.item);
      return endpoint === undefined || !hasParked(endpoint.state);
    },
  };
};

export type Leases = ReturnType<typeof createLeases>;
