import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The part of the client of DynamoDB that the repositories use. `lib/aws/clients.ts` creates it. */
export type DocumentClient = Pick<DynamoDBDocumentClient, 'send'>;

/** The attributes of an item, or of its key, as the document client takes and returns them. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * The time for all database calls of one request. The client gets its response, at worst a 503, within 5 s: before API
 * Gateway or Lambda ends the request without one.
 */
export const DATABASE_BUDGET_MS = 4_000;

/** The options of a call that a signal may end. */
export const callOptions = (signal: AbortSignal | undefined): { abortSignal?: AbortSignal } =>
  signal ? { abortSignal: signal } : {};
