import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

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
