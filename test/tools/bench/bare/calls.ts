import { createHash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../../../lib/dynamodb.ts';

// The same DynamoDB calls as the service's functions make, through the same client, without any check.
// They need a key with the benchmark's ample limits that is neither idle nor exhausted.
const LIMIT = 1_000_000;
const WINDOW_SECONDS = 1_000;
const TOLERANCE_MICROS = (LIMIT - 1) * 1_000;

export const documents = createDocumentClient();

export interface BareEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: Readonly<Record<string, string | undefined>> | null;
  readonly body: string | null;
}

export const respond = (statusCode: number, body: unknown) => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** Takes a token of the request's key. Returns the key's item. */
export const takeToken = async ({ headers }: BareEvent): Promise<Record<string, unknown>> => {
  const secret = (headers['Authorization'] ?? headers['authorization'] ?? '').slice('Bearer '.length);
  const nowMs = Date.now();
  const { Attributes = {} } = await documents.send(
    new UpdateCommand({
      TableName: process.env['API_KEYS_TABLE'],
      Key: { keyId: createHash('sha256').update(secret).digest('hex') },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      UpdateExpression: 'SET tatMicros = tatMicros + emissionIntervalMicros, lastUsedAtMs = :nowMs',
      ConditionExpression:
        'attribute_exists(keyId) AND attribute_not_exists(revokedAtMs)' +
        ' AND (attribute_not_exists(expiresAtMs) OR expiresAtMs > :nowMs)' +
        ' AND tatMicros > :nowMicros AND tatMicros <= :latestMicros AND #limit = :limit AND windowSeconds = :windowSeconds',
      ExpressionAttributeNames: { '#limit': 'limit' },
      ExpressionAttributeValues: {
        ':nowMs': nowMs,
        ':nowMicros': nowMs * 1_000,
        ':latestMicros': nowMs * 1_000 + TOLERANCE_MICROS,
        ':limit': LIMIT,
        ':windowSeconds': WINDOW_SECONDS,
      },
    }),
  );
  return Attributes;
};
