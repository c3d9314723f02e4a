import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { callOptions, type DocumentClient } from '../database/documents.ts';

/** The signing secrets of an endpoint. */
export interface StoredSecret {
  /** The endpoint's id. */
  readonly id: string;
  readonly secret: string;
  /** The secret before the last rotation, if the overlap was not 0. It also signs until `untilMs`. */
  readonly previous?: { readonly secret: string; readonly untilMs: number } | undefined;
}

/** Reads the signing secrets of webhook endpoints in the table `secrets`. `endpoint-changes.ts` changes them. */
export const createSecretRepository = (documents: DocumentClient, tableName: string) => ({
  /**
   * Reads the secret of an endpoint by a strongly consistent read.
   *
   * @throws when DynamoDB is slow, throttles or is down
   */
  async find(endpointId: string, signal?: AbortSignal): Promise<StoredSecret | undefined> {
    const command = new GetCommand({ TableName: tableName, Key: { id: endpointId }, ConsistentRead: true });
    const { Item } = await documents.send(command, callOptions(signal));
    // Without a secret, the item only keeps the id of a removed endpoint from a new one.
    return Item?.['secret'] === undefined ? undefined : (Item as StoredSecret);
  },
});

export type SecretRepository = ReturnType<typeof createSecretRepository>;
