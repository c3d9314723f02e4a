import { isThrottle } from '../aws/errors.ts';

/** Makes the send of `retryRemaining` return all items as left if DynamoDB throttles the whole batch. */
export const leftIfThrottled =
  <Item>(send: (items: readonly Item[]) => Promise<readonly Item[]>): typeof send =>
  (items) =>
    send(items).catch((error: unknown) => {
      if (isThrottle(error)) return items;
      throw error;
    });
