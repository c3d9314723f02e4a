import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The interface of the repositories to DynamoDB. `lib/aws.ts` creates the client. */
export type Documents = Pick<DynamoDBDocumentClient, 'send'>;

/**
 * The time for all database calls of one request. The client gets its response, at worst a 503, within 5 s: before API
 * Gateway or Lambda ends the request without one.
 */
export const DATABASE_BUDGET_MS = 4_000;

/** The options of a call that a signal may end. */
export const callOptions = (signal: AbortSignal | undefined): { abortSignal?: AbortSignal } =>
  signal ? { abortSignal: signal } : {};

/** Awaits a conditional write. Returns `undefined` if its condition is false. */
export const unlessConditionFails = async <Output>(write: Promise<Output>): Promise<Output | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
