import type { Documents } from '../core/documents.ts';
import { isItemThrottle } from '../core/errors.ts';
import { updateOf } from '../core/expressions.ts';
import { createKeyItems } from './key-items.ts';

/** A check takes up to 1.5 s (`lib/webhooks/addresses.ts`). This ends one whose process died. */
const CHECK_ENDS_MS = 3_000;

/** The attributes of a key's item that a check writes. Reads of the key ignore the end of the check. */
export const ADDRESS_CHECK_ATTRIBUTES: readonly string[] = ['keyId', 'addressCheckUntilMs'];

// UpdateItem creates a missing item.
const NO_OTHER_RUNS =
  'attribute_exists(keyId) AND (attribute_not_exists(addressCheckUntilMs) OR addressCheckUntilMs <= :nowMs)';

/**
 * The check of a host name that an API key may have run at one time. It waits for a name server that the caller chose, so
 * more of them would hold the executions of all callers.
 *
 * The mark is in the key's item: every reader of keys drops unknown attributes, and a key always exists.
 */
export const createAddressChecks = (documents: Documents, tableName: string) => {
  const items = createKeyItems(documents, tableName);
  return {
    /**
     * Begins the check of a key by a conditional write. It ends by another write, or after 3 s.
     *
     * @returns the function that ends the check, which never throws. `undefined` if another check of the key runs
     * @throws when DynamoDB is slow, throttles or is down. If it throttles the key's item alone, another check counts as running
     */
    async begin(
      keyId: string,
      nowMs: number,
      signal: AbortSignal,
    ): Promise<(() => Promise<void>) | undefined> {
      // It identifies the check. The next one of the key begins later.
      const addressCheckUntilMs = nowMs + CHECK_ENDS_MS;
      const take = updateOf(
        { set: { addressCheckUntilMs } },
        { ConditionExpression: NO_OTHER_RUNS, ExpressionAttributeValues: { ':nowMs': nowMs } },
      );
      const release = updateOf(
        { remove: ['addressCheckUntilMs'] },
        {
          ConditionExpression: 'addressCheckUntilMs = :untilMs',
          ExpressionAttributeValues: { ':untilMs': addressCheckUntilMs },
        },
      );
      try {
        const { applied } = await items.update(keyId, take, signal);
        if (!applied) return undefined;
      } catch (error) {
        if (isItemThrottle(error)) return undefined;
        throw error;
      }
      // A check that is not released ends by itself.
      return () =>
        items.update(keyId, release, signal).then(
          () => undefined,
          () => undefined,
        );
    },
  };
};

export type AddressChecks = ReturnType<typeof createAddressChecks>;
