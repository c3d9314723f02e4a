import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../core/documents.ts';
import type { Clock } from '../core/clock.ts';
import { isTransactionConflict, OutageError } from '../core/errors.ts';
import { retry } from '../core/retry.ts';
import { type EndpointRef, generateSecret } from './endpoint.ts';
import { endpointKey } from './endpoint-items.ts';

/** The signing secrets of an endpoint. */
export interface StoredSecret {
  /** The endpoint's id. */
  readonly id: string;
  readonly secret: string;
  /** The secret before the last rotation, if the overlap was not 0. It also signs until `untilMs`. */
  readonly previous?: { readonly secret: string; readonly untilMs: number } | undefined;
}

/** The signing secrets of webhook endpoints. Every method throws when DynamoDB is slow, throttles or is down. */
export interface SecretStore {
  /** Generates and stores the secret of a new endpoint. Returns its text. */
  create(endpointId: string): Promise<string>;

  /**
   * Replaces the secret of an endpoint. Both secrets sign until the overlap ends. An even older secret no longer signs. Every
   * attempt that takes its lease afterwards uses the new state: the same transaction changes the endpoint's `secretVersion`.
   *
   * @returns the new text, or `undefined` if the endpoint does not exist, has no secret, or another rotation came first
   */
  rotate(endpoint: EndpointRef, overlapMs: number): Promise<string | undefined>;

  remove(endpointId: string): Promise<void>;

  /** Reads the secret of an endpoint by a strongly consistent read. */
  find(endpointId: string): Promise<StoredSecret | undefined>;
}

/** A delivery updates the endpoint's item twice, each time for a few milliseconds. */
const CONFLICT_RETRIES = { firstMs: 20, maxMs: 160, attemptsMax: 5 };

export interface SecretTables {
  readonly secrets: string;
  readonly webhookEndpoints: string;
}

/** The writes of a rotation: both or none, so that a process that dies leaves the old state or the new one. */
const rotationOf = (
  { secrets, webhookEndpoints }: SecretTables,
  endpoint: EndpointRef,
  { secret: stored }: StoredSecret,
  Item: StoredSecret,
) => [
  {
    Put: {
      TableName: secrets,
      Item,
      // Two rotations at the same time must not lose the secret that the merchant uses.
      ConditionExpression: 'secret = :stored',
      ExpressionAttributeValues: { ':stored': stored },
    },
  },
  {
    Update: {
      TableName: webhookEndpoints,
      Key: endpointKey(endpoint),
      UpdateExpression: 'SET secretVersion = :version',
      // Somebody may have removed the endpoint.
      ConditionExpression: 'attribute_exists(id)',
      ExpressionAttributeValues: { ':version': randomUUID() },
    },
  },
];

/** Signing secrets in the table `secrets`. */
export const createSecretStore = (documents: Documents, tables: SecretTables, now: Clock): SecretStore => {
  const tableName = tables.secrets;
  const find = async (endpointId: string): Promise<StoredSecret | undefined> => {
    const command = new GetCommand({ TableName: tableName, Key: { id: endpointId }, ConsistentRead: true });
    return (await documents.send(command)).Item as StoredSecret | undefined;
  };
  return {
    find,

    async create(endpointId) {
      const secret = generateSecret();
      await documents.send(new PutCommand({ TableName: tableName, Item: { id: endpointId, secret } }));
      return secret;
    },

    async rotate(endpoint, overlapMs) {
      const stored = await find(endpoint.endpointId);
      if (!stored) return undefined;
      const secret = generateSecret();
      const TransactItems = rotationOf(tables, endpoint, stored, {
        id: stored.id,
        secret,
        // A secret that ends at once has no end to compare with the clock of another machine.
        previous: overlapMs > 0 ? { secret: stored.secret, untilMs: now() + overlapMs } : undefined,
      });
      const isRotated = await retry(async () => {
        try {
          await documents.send(new TransactWriteCommand({ TransactItems }));
          return true;
        } catch (error) {
          if (isTransactionConflict(error)) return undefined;
          if (error instanceof TransactionCanceledException) return false;
          throw error;
        }
      }, CONFLICT_RETRIES);
      if (isRotated === undefined) throw new OutageError('Deliveries to the endpoint always came first');
      return isRotated ? secret : undefined;
    },

    async remove(endpointId) {
      await documents.send(new DeleteCommand({ TableName: tableName, Key: { id: endpointId } }));
    },
  };
};
