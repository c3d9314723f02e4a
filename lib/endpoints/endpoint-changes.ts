import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { DocumentClient } from '../database/documents.ts';
import { type Condition, updateOf } from '../database/expressions.ts';
import type { EventLog } from '../events/event-log.ts';
import type { TransactItem } from '../events/event-transaction.ts';
import type { EndpointEventType } from '../events/event-types.ts';
import { endpointEvent } from './endpoint-event.ts';
import { endpointKey, EXISTS, isRemoved, toEndpointItem } from './endpoint-item.ts';
import { type EndpointPatch, patchedEndpoint, patchUpdate } from './endpoint-patch.ts';
import { createEndpointRepository } from './endpoint-repository.ts';
import { ENDPOINTS_MAX, isLockedHost, LOCKED, type WebhookEndpoint } from './endpoint.ts';
import { removalAt } from './removed-endpoints.ts';
import { createSecretRepository, type StoredSecret } from './secret-repository.ts';
import { generateSecret } from './signing-secret.ts';

/**
 * - `created`: the endpoint and its secret are stored.
 * - `taken`: an endpoint with this id exists, or existed.
 * - `tooMany`: the store and mode have {@link ENDPOINTS_MAX} endpoints.
 * - `locked`: a key would create it, and an operator disabled an endpoint of the store and mode with the same host.
 */
type EndpointCreation =
  | { readonly outcome: 'created'; readonly secret: string }
  | { readonly outcome: 'taken' | 'tooMany' | 'locked' };

/**
 * - `changed`: the change is stored.
 * - `notFound`: the endpoint does not exist.
 * - `locked`: a key would enable, move or remove an endpoint that an operator disabled.
 */
type ChangeOutcome = 'changed' | 'notFound' | 'locked';

/** The caller of a change. */
interface Caller {
  /** The beginning of the id of the API key. Absent for an operator. */
  readonly shownKeyId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A new secret, and when the one before it ends. */
interface RotatedSecret {
  readonly secret: string;
  readonly previousEndsAtMs: number;
}

/**
 * Changes webhook endpoints. Each change is one transaction of the endpoint, its secret and an event. Every method throws when
 * DynamoDB is slow, throttles or is down, or when the signal aborts.
 */
export interface EndpointChanges {
  /**
   * Concurrent creations of the last endpoints that fit may all return `tooMany`. An endpoint that was removed counts while an
   * attempt to it is in flight.
   */
  create(endpoint: WebhookEndpoint, signal?: AbortSignal): Promise<EndpointCreation>;

  update(endpoint: WebhookEndpoint, patch: EndpointPatch, caller?: Caller): Promise<ChangeOutcome>;

  /** Removes the endpoint and its secret. */
  remove(endpoint: WebhookEndpoint, caller?: Caller): Promise<ChangeOutcome>;

  /**
   * Replaces the secret of an endpoint. Both secrets sign until the overlap ends. An even older secret no longer signs. Every
   * attempt that takes its lease afterwards uses the new state, because `secretVersion` changes too.
   *
   * @returns `undefined` if the endpoint does not exist, has no secret, or another rotation came first
   */
  rotateSecret(
    endpoint: WebhookEndpoint,
    overlapMs: number,
    caller?: Caller,
  ): Promise<RotatedSecret | undefined>;
}

/** The names of the tables with endpoints and secrets. */
interface EndpointTables {
  readonly webhookEndpoints: string;
  readonly secrets: string;
}

/** How long no new endpoint gets the id of a removed one. Its deliveries are kept for 30 days. */
const ID_KEPT_SECONDS = 60 * 86_400;

type ItemUpdate = ReturnType<typeof updateOf>;

const IF_UNLOCKED: Condition = {
  ConditionExpression: `${EXISTS} AND (attribute_not_exists(disabled) OR disabled.reason <> :locked)`,
  ExpressionAttributeValues: { ':locked': LOCKED },
};

const conditionFor = ({ shownKeyId }: Caller): Condition | undefined =>
  shownKeyId === undefined ? undefined : IF_UNLOCKED;

/** The writes of each change. */
const writesOn = ({ webhookEndpoints, secrets }: EndpointTables) => {
  const updateEndpoint = (endpoint: WebhookEndpoint, update: ItemUpdate) => ({
    Update: {
      TableName: webhookEndpoints,
      Key: endpointKey(endpoint),
      // UpdateItem creates a missing item.
      ConditionExpression: EXISTS,
      ...update,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  });
  return {
    create: (endpoint: WebhookEndpoint, secret: string): TransactItem[] => {
      const Item = toEndpointItem(endpoint);
      const ConditionExpression = 'attribute_not_exists(id)';
      return [
        { Put: { TableName: webhookEndpoints, Item, ConditionExpression } },
        { Put: { TableName: secrets, Item: { id: endpoint.endpointId, secret }, ConditionExpression } },
      ];
    },
    update: (endpoint: WebhookEndpoint, patch: EndpointPatch, caller: Caller): TransactItem[] => {
      const needsUnlocked = patch.disabled !== undefined || patch.url !== undefined;
      return [updateEndpoint(endpoint, patchUpdate(patch, needsUnlocked ? conditionFor(caller) : undefined))];
    },
    remove: (endpoint: WebhookEndpoint, nowMs: number, caller: Caller): TransactItem[] => {
      const id = endpoint.endpointId;
      const isIdempotent = endpoint.requestFingerprint !== undefined;
      const deleteAtSeconds = Math.ceil(nowMs / 1_000) + ID_KEPT_SECONDS;
      return [
        updateEndpoint(endpoint, removalAt(nowMs, conditionFor(caller))),
        // A new endpoint with the same id would get the deliveries of this one, and the secret that functions remember.
        isIdempotent
          ? { Put: { TableName: secrets, Item: { id, deleteAtSeconds } } }
          : { Delete: { TableName: secrets, Key: { id } } },
      ];
    },
    rotate: (endpoint: WebhookEndpoint, stored: string, Item: StoredSecret): TransactItem[] => [
      {
        Put: {
          TableName: secrets,
          Item,
          // Two rotations at the same time must not lose the secret that the merchant uses.
          ConditionExpression: 'secret = :stored',
          ExpressionAttributeValues: { ':stored': stored },
        },
      },
      updateEndpoint(endpoint, updateOf({ set: { secretVersion: randomUUID() } })),
    ],
  };
};

/** Stores changes, each with its event. If a condition fails, the outcome depends on the item of the first write. */
const createAppend =
  (log: EventLog) =>
  async (
    type: EndpointEventType,
    endpoint: WebhookEndpoint,
    { shownKeyId, signal }: Caller,
    writes: readonly TransactItem[],
  ): Promise<ChangeOutcome> => {
    const event = endpointEvent(type, endpoint, shownKeyId);
    const appended = await log.append(endpoint, { event, writes }, signal);
    if (appended.outcome === 'appended') return 'changed';
    const stored = appended.reasons[0]?.Item;
    return stored && !isRemoved(stored) ? 'locked' : 'notFound';
  };

/** Changes endpoints in the tables `webhookEndpoints` and `secrets`. */
export const createEndpointChanges = (
  documents: DocumentClient,
  tables: EndpointTables,
  { log, now }: { readonly log: EventLog; readonly now: Clock },
): EndpointChanges => {
  const append = createAppend(log);
  const writes = writesOn(tables);
  const endpoints = createEndpointRepository(documents, tables.webhookEndpoints);
  const secrets = createSecretRepository(documents, tables.secrets);

  const endpointChanges: EndpointChanges = {
    async create(endpoint, signal) {
      const caller: Caller = { shownKeyId: endpoint.createdByKeyId, signal };
      const others = await endpoints.sweep(endpoint, now(), signal);
      if (caller.shownKeyId !== undefined && isLockedHost(endpoint.url, others)) return { outcome: 'locked' };
      if (others.length >= ENDPOINTS_MAX) return { outcome: 'tooMany' };
      const secret = generateSecret();
      const created = writes.create(endpoint, secret);
      const outcome = await append('webhook_endpoint.created', endpoint, caller, created);
      if (outcome !== 'changed') return { outcome: 'taken' };
      // Counted again after the write, so that two creations at the same time never exceed the maximum.
      const all = await endpoints.sweep(endpoint, now(), signal);
      if (all.length <= ENDPOINTS_MAX) return { outcome: 'created', secret };
      await endpointChanges.remove(endpoint, caller);
      return { outcome: 'tooMany' };
    },

    update(endpoint, patch, caller = {}) {
      const updated = writes.update(endpoint, patch, caller);
      return append('webhook_endpoint.updated', patchedEndpoint(endpoint, patch), caller, updated);
    },

    remove: (endpoint, caller = {}) =>
      append('webhook_endpoint.deleted', endpoint, caller, writes.remove(endpoint, now(), caller)),

    async rotateSecret(endpoint, overlapMs, caller = {}) {
      const stored = await secrets.find(endpoint.endpointId, caller.signal);
      if (!stored) return undefined;
      const secret = generateSecret();
      const untilMs = now() + overlapMs;
      // A secret that ends at once has no end to compare with the clock of another machine.
      const previous = overlapMs > 0 ? { secret: stored.secret, untilMs } : undefined;
      const rotated = { id: endpoint.endpointId, secret, previous };
      const rotation = writes.rotate(endpoint, stored.secret, rotated);
      const outcome = await append('webhook_endpoint.secret_rotated', endpoint, caller, rotation);
      return outcome === 'changed' ? { secret, previousEndsAtMs: untilMs } : undefined;
    },
  };
  return endpointChanges;
};
