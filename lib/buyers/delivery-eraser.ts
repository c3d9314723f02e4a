import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../dynamodb.ts';
import { inParallel } from '../in-parallel.ts';
import type { Attempt } from '../webhooks/delivery.ts';

/** The key of a delivery. */
export interface DeliveryKey {
  readonly endpointId: string;
  readonly id: string;
}

const UPDATES_AT_ONCE = 10;

/**
 * The update that removes the texts of these attempts' responses. Its condition fails if the list of attempts has changed:
 * each attempt adds to the list, and may shift it.
 */
const removeTexts = (TableName: string, Key: DeliveryKey, attempts: readonly Attempt[]): UpdateCommand => {
  const withText = attempts.flatMap(({ response }, index) => (response === undefined ? [] : [index]));
  return new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: `REMOVE ${withText.map((index) => `attempts[${index}].#response`).join(', ')}`,
    ConditionExpression: 'size(attempts) = :size AND attempts[0].atMs = :firstAtMs',
    ExpressionAttributeNames: { '#response': 'response' },
    ExpressionAttributeValues: { ':size': attempts.length, ':firstAtMs': attempts[0]?.atMs },
  });
};

/** Erases the texts of a delivery. Returns whether it had any. */
const eraseOne = async (documents: Documents, TableName: string, Key: DeliveryKey): Promise<boolean> => {
  const get = new GetCommand({ TableName, Key, ConsistentRead: true });
  const attempts = ((await documents.send(get)).Item?.['attempts'] ?? []) as readonly Attempt[];
  if (attempts.every(({ response }) => response === undefined)) return false;
  try {
    await documents.send(removeTexts(TableName, Key, attempts));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Another attempt was made, or TTL has deleted the delivery.
    return eraseOne(documents, TableName, Key);
  }
};

/**
 * Erases the texts of the responses to deliveries in the table `deliveries`: a receiver may have repeated the buyer's data in
 * them. Statuses and times stay. A repetition changes nothing.
 *
 * @returns how many deliveries it changed
 * @throws when DynamoDB is slow, throttles or is down
 */
export const eraseResponses = async (
  documents: Documents,
  tableName: string,
  deliveries: readonly DeliveryKey[],
): Promise<number> => {
  let erased = 0;
  await inParallel(deliveries, UPDATES_AT_ONCE, async ({ endpointId, id }) => {
    if (await eraseOne(documents, tableName, { endpointId, id })) erased += 1;
  });
  return erased;
};
