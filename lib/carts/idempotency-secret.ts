import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { callOptions, DATABASE_BUDGET_MS, type Documents } from '../core/documents.ts';

/** The id of the secret's item in the table `secrets`. */
export const IDEMPOTENCY_SECRET_ID = 'idempotent-cart-ids';

/** As long as the hash of HMAC-SHA256 (RFC 2104, 3). */
const SECRET_BYTES = 32;

const secretOf = (item: Readonly<Record<string, unknown>>): Uint8Array => {
  const { secret } = item;
  if (secret instanceof Uint8Array && secret.length === SECRET_BYTES) return secret;
  throw new Error('The stored idempotency secret is invalid');
};

/**
 * Reads the secret from which the ids of idempotent carts derive. The first reader creates it. Nothing ever replaces
 * it, so retries find their carts. All stages on one database share it.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const readIdempotencySecret = async (documents: Documents, tableName: string): Promise<Uint8Array> => {
  const options = callOptions(AbortSignal.timeout(DATABASE_BUDGET_MS));
  const get = new GetCommand({
    TableName: tableName,
    Key: { id: IDEMPOTENCY_SECRET_ID },
    ConsistentRead: true,
  });
  const { Item } = await documents.send(get, options);
  if (Item) return secretOf(Item);

  const item = { id: IDEMPOTENCY_SECRET_ID, secret: randomBytes(SECRET_BYTES) };
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
    if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
    return secretOf(unmarshall(error.Item));
  }
};
