import { randomBytes } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { resultOfFailure } from '../database/conditional-writes.ts';
import { callOptions, DATABASE_BUDGET_MS, type DocumentClient } from '../database/documents.ts';

/** The ids of the secrets in the table `secrets`. Each has one function that reads and creates it. */
export const IDEMPOTENCY_SECRET_IDS = {
  carts: 'idempotent-cart-ids',
  endpoints: 'idempotent-endpoint-ids',
} as const;

export type IdempotencySecretId = (typeof IDEMPOTENCY_SECRET_IDS)[keyof typeof IDEMPOTENCY_SECRET_IDS];

/** Whether an item of the table `secrets` is one of them. */
export const isIdempotencySecret = (id: string | undefined): boolean =>
  Object.values<string | undefined>(IDEMPOTENCY_SECRET_IDS).includes(id);

/** As long as the hash of HMAC-SHA256 (RFC 2104, 3). */
const SECRET_BYTES = 32;

const secretOf = (item: Readonly<Record<string, unknown>>): Uint8Array => {
  const { secret } = item;
  if (secret instanceof Uint8Array && secret.length === SECRET_BYTES) return secret;
  throw new Error('The stored idempotency secret is invalid');
};

/**
 * Reads a secret from which the ids of idempotent carts or endpoints derive. Without a secret, anyone could compute the id of
 * a cart from its idempotency key, and a payment page needs only the id. The first reader creates the secret. Nothing ever replaces
 * it, so retries find what they created. All stages on one database share it.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readOrCreateIdempotencySecret = async (
  documents: DocumentClient,
  tableName: string,
  id: IdempotencySecretId,
): Promise<Uint8Array> => {
  const options = callOptions(AbortSignal.timeout(DATABASE_BUDGET_MS));
  const get = new GetCommand({
    TableName: tableName,
    Key: { id },
    ConsistentRead: true,
  });
  const { Item } = await documents.send(get, options);
  if (Item) return secretOf(Item);

  const item = { id, secret: randomBytes(SECRET_BYTES) };
  const put = new PutCommand({
    TableName: tableName,
    Item: item,
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await documents.send(put, options);
    return secretOf(item);
  } catch (error) {
    // Another environment created it first.
    const { item: stored } = resultOfFailure(error);
    if (!stored) throw error;
    return secretOf(stored);
  }
};
