import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './documents.ts';

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
  { $metadata, Item: stored = {} }: ConditionalCheckFailedException,
  written: Item,
): boolean =>
  ($metadata.attempts ?? 1) > 1 &&
  Object.entries(marshall(written, { removeUndefinedValues: true })).every(([name, value]) =>
    isDeepStrictEqual(stored[name], value),
  );

/** The result of a conditional write. */
export interface ConditionalWrite {
  /** Whether it took effect. */
  readonly applied: boolean;
  /** The item after the write. If the condition was false, the unchanged item. */
  readonly item: Item | undefined;
}

/** The result of a write whose condition was false. The parameters are those of {@link failedByItself}. Throws other errors. */
export const resultOfFailure = (error: unknown, written?: Item): ConditionalWrite => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  const applied = written !== undefined && failedByItself(error, written);
  return { applied, item: error.Item && unmarshall(error.Item) };
};

/** Awaits a conditional write. Returns whether it took effect. The parameters are those of {@link failedByItself}. */
export const tookEffect = async (write: Promise<unknown>, written: Item): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    return resultOfFailure(error, written).applied;
  }
};
