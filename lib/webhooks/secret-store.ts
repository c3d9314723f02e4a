import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../core/documents.ts';
import type { Clock } from '../core/clock.ts';
import { generateSecret } from './endpoint.ts';

/** The signing secrets of an endpoint. */
export interface StoredSecret {
  /** The endpoint's id. */
  readonly id: string;
  readonly secret: string;
  /** The secret before the last rotation. It also signs until `untilMs`. */
  readonly previous?: { readonly secret: string; readonly untilMs: number } | undefined;
}

/** The signing secrets of webhook endpoints. Every method throws when DynamoDB is slow, throttles or is down. */
export interface SecretStore {
  /** Generates and stores the secret of a new endpoint. Returns its text. */
  create(endpointId: string): Promise<string>;

  /**
   * Replaces the secret of an endpoint. Both secrets sign until the overlap ends. An even older secret no longer signs.
   * Running functions use the new secret within a minute.
   *
   * @returns the new text, or `undefined` if the endpoint has no secret
   */
  rotate(endpointId: string, overlapMs: number): Promise<string | undefined>;

  remove(endpointId: string): Promise<void>;

  /** Reads the secret of an endpoint by a strongly consistent read. */
  find(endpointId: string): Promise<StoredSecret | undefined>;
}

/** Signing secrets in the table `secrets`. */
export const createSecretStore = (documents: Documents, tableName: string, now: Clock): SecretStore => {
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

    async rotate(endpointId, overlapMs) {
      const stored = await find(endpointId);
      if (!stored) return undefined;
      const secret = generateSecret();
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { id: endpointId },
        UpdateExpression: 'SET secret = :secret, previous = :previous',
        // Two rotations at the same time must not lose the secret that the merchant uses.
        ConditionExpression: 'secret = :stored',
        ExpressionAttributeValues: {
          ':secret': secret,
          ':previous': { secret: stored.secret, untilMs: now() + overlapMs },
          ':stored': stored.secret,
        },
      });
      try {
        await documents.send(command);
        return secret;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    },

    async remove(endpointId) {
      await documents.send(new DeleteCommand({ TableName: tableName, Key: { id: endpointId } }));
    },
  };
};
