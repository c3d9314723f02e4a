import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { takeUpdate } from '../../../../lib/api-keys/bucket-updates.ts';

// The same DynamoDB calls as the service's functions make, without any check, through the unmodified SDK.
// They need a key with the benchmark's ample limits that is neither idle nor exhausted.
const BUSY_BUCKET = { limit: 1_000_000, windowSeconds: 1_000, tatMicros: Infinity };

export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** One call before the first request. */
export const warmUp = (): Promise<unknown> =>
  documents.send(new GetCommand({ TableName: process.env['PRODUCTS_TABLE'], Key: { id: 'warm-up' } }));

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
  const { Attributes = {} } = await documents.send(
    new UpdateCommand({
      ...takeUpdate(BUSY_BUCKET, Date.now(), randomUUID()),
      TableName: process.env['API_KEYS_TABLE'],
      Key: { keyId: createHash('sha256').update(secret).digest('hex') },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  return Attributes;
};
