import { createKeyItems } from '../../api-keys/key-items.ts';
import { isHotKeyThrottle } from '../../aws/errors.ts';
import type { DocumentClient } from '../../database/documents.ts';
import { updateOf } from '../../database/expressions.ts';

/** A check takes up to 1.5 s (`resolve-host.ts`). If its process dies, it ends after this time. */
const CHECK_ENDS_MS = 3_000;

/** The attributes of a key's item that a check writes. Reads of the key ignore the end of the check. */
export const DNS_CHECK_ATTRIBUTES: readonly string[] = ['keyId', 'dnsCheckUntilMs'];

// UpdateItem creates a missing item.
const NO_OTHER_RUNS =
  'attribute_exists(keyId) AND (attribute_not_exists(dnsCheckUntilMs) OR dnsCheckUntilMs <= :nowMs)';

/**
 * Admits one check of a host name for each API key at a time. A check waits for a name server that the caller chose. Many at
 * once would hold the executions of all callers.
 *
 * The lock is in the key's item: the key exists, and every reader of keys drops unknown attributes.
 */
export const createDnsCheckLock = (documents: DocumentClient, tableName: string) => {
  const items = createKeyItems(documents, tableName);
  return {
    /**
     * Locks the checks of a key by a conditional write, until the release or for 3 s.
     *
     * @returns the release, which never throws. `undefined` if another check of the key runs, or if DynamoDB throttles the key's
     *   item alone
     * @throws when DynamoDB is slow, throttles or is down
     */
    async acquire(
      keyId: string,
      nowMs: number,
      signal: AbortSignal,
    ): Promise<(() => Promise<void>) | undefined> {
      // It also identifies the check: the next one of the key has a later time.
      const dnsCheckUntilMs = nowMs + CHECK_ENDS_MS;
      const take = updateOf(
        { set: { dnsCheckUntilMs } },
        { ConditionExpression: NO_OTHER_RUNS, ExpressionAttributeValues: { ':nowMs': nowMs } },
      );
      const release = updateOf(
        { remove: ['dnsCheckUntilMs'] },
        {
          ConditionExpression: 'dnsCheckUntilMs = :untilMs',
          ExpressionAttributeValues: { ':untilMs': dnsCheckUntilMs },
        },
      );
      try {
        const { applied } = await items.update(keyId, take, signal);
        if (!applied) return undefined;
      } catch (error) {
        if (isHotKeyThrottle(error)) return undefined;
        throw error;
      }
      // If the release fails, the check ends after its time.
      return () =>
        items.update(keyId, release, signal).then(
          () => undefined,
          () => undefined,
        );
    },
  };
};

export type DnsCheckLock = ReturnType<typeof createDnsCheckLock>;
