import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Documents } from '../core/documents.ts';
import { updateOf } from '../core/expressions.ts';
import type { EventLog } from '../events/event-log.ts';
import type { TransactItem } from '../events/event-transaction.ts';
import { endpointEvent } from './endpoint-event.ts';
import { endpointKey, toEndpointItem } from './endpoint-items.ts';
import { createEndpointStore, type EndpointStore } from './endpoint-store.ts';
import {
  type Disabled,
  type DisabledReason,
  ENDPOINTS_MAX,
  generateSecret,
  type WebhookEndpoint,
} from './endpoint.ts';
import { createSecretStore, type SecretStore, type StoredSecret } from './secret-store.ts';

/** Changes of an endpoint. `undefined` leaves an attribute, `null` removes it. */
export interface EndpointChanges {
  /** A new address closes the breaker. */
  readonly url?: string | undefined;
  /** `null` enables the endpoint, and closes its breaker. */
  readonly disabled?: Disabled | null | undefined;
  readonly events?: readonly string[] | null | undefined;
}

/**
 * - `created`: the endpoint and its secret are stored.
 * - `taken`: an endpoint with this id exists, or existed.
 * - `tooMany`: the store and mode have {@link ENDPOINTS_MAX} endpoints.
 */
export type EndpointCreation =
  | { readonly outcome: 'created'; readonly secret: string }
  | { readonly outcome: 'taken' | 'tooMany' };

/**
 * Changes webhook endpoints. Each change is one transaction of the endpoint, its secret and an event. `keyId` is the beginning
 * of the id of the API key that makes the change, or absent for an operator. Every method throws when DynamoDB is slow,
 * throttles or is down, or when the signal aborts.
 */
export interface EndpointRegistry {
  /** Concurrent creations of the last endpoints that fit may all return `tooMany`. */
  create(endpoint: WebhookEndpoint, signal?: AbortSignal): Promise<EndpointCreation>;

  /** Returns `false` if the endpoint does not exist, or a key would change whether it is disabled and an operator disabled it. */
  update(
    endpoint: WebhookEndpoint,
    changes: EndpointChanges,
    keyId?: string,
    signal?: AbortSignal,
  ): Promise<boolean>;

  /** Removes the endpoint and its secret. Returns `false` if the endpoint does not exist. */
  remove(endpoint: WebhookEndpoint, keyId?: string, signal?: AbortSignal): Promise<boolean>;

  /**
   * Replaces the secret of an endpoint. Both secrets sign until the overlap ends. An even older secret no longer signs. Every
   * attempt that takes its lease afterwards uses the new state, because `secretVersion` changes too.
   *
   * @returns the new text, or `undefined` if the endpoint does not exist, has no secret, or another rotation came first
   */
  rotateSecret(
    endpoint: WebhookEndpoint,
    overlapMs: number,
    keyId?: string,
    signal?: AbortSignal,
  ): Promise<string | undefined>;
}

/** The names of the tables with endpoints and secrets. */
export interface EndpointTables {
  readonly webhookEndpoints: string;
  readonly secrets: string;
}

export interface EndpointRegistryParts {
  readonly log: EventLog;
  readonly now: Clock;
}

type EndpointUpdate = ReturnType<typeof updateOf>;

const BREAKER = ['failures', 'failingSinceMs', 'probeAtMs'];

/** An attempt to the old address then has no lease to release, so its result does not count for the new one. */
const LEASES = ['lease0UntilMs', 'lease0Owner', 'lease1UntilMs', 'lease1Owner'];

/** The update of an endpoint with changes, at least one. */
const updateWith = (changes: EndpointChanges): EndpointUpdate => {
  const entries = Object.entries(changes) as readonly (readonly [string, unknown])[];
  const closesBreaker = changes.disabled === null || changes.url !== undefined;
  return updateOf({
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    remove: [
      ...entries.filter(([, value]) => value === null).map(([name]) => name),
      ...(closesBreaker ? BREAKER : []),
      ...(changes.url === undefined ? [] : LEASES),
    ],
  });
};

/** The endpoint after changes. */
const changed = (endpoint: WebhookEndpoint, changes: EndpointChanges): WebhookEndpoint => {
  const { url = endpoint.url, disabled = endpoint.disabled, events = endpoint.events } = changes;
  return { ...endpoint, url, disabled: disabled ?? undefined, events: events ?? undefined };
};

/** Only an operator enables an endpoint that an operator disabled. */
const LOCKED: DisabledReason = 'operator';

const ifUnlocked = (update: EndpointUpdate) => ({
  ...update,
  ConditionExpression:
    'attribute_exists(id) AND (attribute_not_exists(disabled) OR disabled.reason <> :locked)',
  ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':locked': LOCKED },
});

/** Whether a merchant may not enable an endpoint. */
export const isLocked = ({ disabled }: WebhookEndpoint): boolean => disabled?.reason === LOCKED;

/** The writes of each change. */
const writesOn = ({ webhookEndpoints, secrets }: EndpointTables) => {
  const updateEndpoint = (endpoint: WebhookEndpoint, update: EndpointUpdate) => ({
    Update: {
      TableName: webhookEndpoints,
      Key: endpointKey(endpoint),
      // UpdateItem creates a missing item.
      ConditionExpression: 'attribute_exists(id)',
      ...update,
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
    update: (endpoint: WebhookEndpoint, changes: EndpointChanges, keyId?: string): TransactItem[] => {
      const update = updateWith(changes);
      const isByMerchant = keyId !== undefined && changes.disabled !== undefined;
      return [updateEndpoint(endpoint, isByMerchant ? ifUnlocked(update) : update)];
    },
    remove: (endpoint: WebhookEndpoint): TransactItem[] => {
      const Key = endpointKey(endpoint);
      const id = endpoint.endpointId;
      const isIdempotent = endpoint.requestFingerprint !== undefined;
      return [
        { Delete: { TableName: webhookEndpoints, Key, ConditionExpression: 'attribute_exists(id)' } },
        // A new endpoint with the same id would get the deliveries of this one, and the secret that functions remember.
        isIdempotent
          ? { Put: { TableName: secrets, Item: { id } } }
          : { Delete: { TableName: secrets, Key: { id } } },
      ];
    },
    rotate: (endpoint: WebhookEndpoint, stored: string, Item: object): TransactItem[] => [
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

/** Stores a change with its event. Returns `false` if the condition of a write failed. */
type Append = (
  change: Parameters<typeof endpointEvent>,
  writes: readonly TransactItem[],
  signal?: AbortSignal,
) => Promise<boolean>;

interface Parts {
  readonly append: Append;
  readonly writes: ReturnType<typeof writesOn>;
}

const createRemove =
  ({ append, writes }: Parts): EndpointRegistry['remove'] =>
  (endpoint, keyId, signal) =>
    append(['webhook_endpoint.deleted', endpoint, keyId], writes.remove(endpoint), signal);

const createCreate =
  (parts: Parts, endpoints: Pick<EndpointStore, 'listOf'>): EndpointRegistry['create'] =>
  async (endpoint, signal) => {
    const { append, writes } = parts;
    const count = async (): Promise<number> => (await endpoints.listOf(endpoint, signal)).length;
    const { createdByKeyId } = endpoint;
    if ((await count()) >= ENDPOINTS_MAX) return { outcome: 'tooMany' };
    const secret = generateSecret();
    const itsWrites = writes.create(endpoint, secret);
    if (!(await append(['webhook_endpoint.created', endpoint, createdByKeyId], itsWrites, signal))) {
      return { outcome: 'taken' };
    }
    // Counted again after the write, so that two creations at the same time never exceed the maximum.
    if ((await count()) <= ENDPOINTS_MAX) return { outcome: 'created', secret };
    await createRemove(parts)(endpoint, createdByKeyId, signal);
    return { outcome: 'tooMany' };
  };

const createRotate =
  ({ append, writes }: Parts, secrets: SecretStore, now: Clock): EndpointRegistry['rotateSecret'] =>
  async (endpoint, overlapMs, keyId, signal) => {
    const stored = await secrets.find(endpoint.endpointId, signal);
    if (!stored) return undefined;
    const secret = generateSecret();
    const rotated: StoredSecret = {
      id: endpoint.endpointId,
      secret,
      // A secret that ends at once has no end to compare with the clock of another machine.
      previous: overlapMs > 0 ? { secret: stored.secret, untilMs: now() + overlapMs } : undefined,
    };
    const itsWrites = writes.rotate(endpoint, stored.secret, rotated);
    const isRotated = await append(['webhook_endpoint.secret_rotated', endpoint, keyId], itsWrites, signal);
    return isRotated ? secret : undefined;
  };

/** Changes endpoints in the tables `webhookEndpoints` and `secrets`. */
export const createEndpointRegistry = (
  documents: Documents,
  tables: EndpointTables,
  { log, now }: EndpointRegistryParts,
): EndpointRegistry => {
  const writes = writesOn(tables);
  const append: Append = async (change, itsWrites, signal) => {
    const [, endpoint] = change;
    const event = endpointEvent(...change);
    return (await log.append(endpoint, { event, writes: itsWrites }, signal)).outcome === 'appended';
  };
  const parts = { append, writes };
  return {
    create: createCreate(parts, createEndpointStore(documents, tables.webhookEndpoints)),
    update: (endpoint, changes, keyId, signal) =>
      append(
        ['webhook_endpoint.updated', changed(endpoint, changes), keyId],
        writes.update(endpoint, changes, keyId),
        signal,
      ),
    remove: createRemove(parts),
    rotateSecret: createRotate(parts, createSecretStore(documents, tables.secrets), now),
  };
};
