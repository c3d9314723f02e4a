import { retry, type RetryOptions } from './retry.ts';

/**
 * Sends items. Each further attempt sends those that the one before left.
 *
 * @param send returns the items that the receiver did not accept
 * @returns the items that are left in the end
 * @throws the error of an attempt
 */
export const retryRemaining = async <Item>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<readonly Item[]>,
  options: RetryOptions,
): Promise<readonly Item[]> => {
  let left = items;
  await retry(async () => {
    left = await send(left);
    return left.length === 0 || undefined;
  }, options);
  return left;
};
