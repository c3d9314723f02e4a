import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** The part of the client of DynamoDB that the repositories use. `lib/aws.ts` creates it. */
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

/** Awaits a conditional write. Returns `undefined` if its condition is false. */
export const unlessConditionFails = async <Output>(write: Promise<Output>): Promise<Output | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

/**
 * Whether a write made its own condition false: the SDK repeats a write whose response was lost. The write must ask for
 * `ALL_OLD` if its condition is false.
 *
 * @param written values that only this write gives the item
 */
export const failedByItself = (
  { $metadata, Item = {} }: ConditionalCheckFailedException,
  written: Readonly<Record<string, unknown>>,
): boolean =>
  ($metadata.attempts ?? 1) > 1 &&
  Object.entries(marshall(written, { removeUndefinedValues: true })).every(([name, value]) =>
    isDeepStrictEqual(Item[name], value),
  );

/** Awaits a conditional write. Returns whether it took effect. The parameters are those of {@link failedByItself}. */
export const tookEffect = async (
  write: Promise<unknown>,
  written: Readonly<Record<string, unknown>>,
): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return failedByItself(error, written);
    throw error;
  }
};
