import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { Ending } from '../../../lib/operators/api-key-changes.ts';
import type { ApiKeyRepository } from '../../../lib/operators/api-key-repository.ts';

export interface RotationRequest {
  /** The new key's text, with the mode of the old key. */
  readonly keyText: string;
  /** How long both keys work, in milliseconds. */
  readonly overlapMs: number;
  /** When the new key expires, if ever. */
  readonly expiresAtMs?: number | undefined;
  readonly nowMs: number;
}

/**
 * The result of a rotation. `rotated`: the new key works and the old one ends. `endUnknown`: the new key works, but
 * `error` left the old key's end unconfirmed. `unusable`: the old key is unknown or has ended. No new key works then.
 */
type Rotation =
  | { readonly outcome: 'rotated'; readonly newKey: StoredApiKey; readonly oldEndsAtMs: number }
  | { readonly outcome: 'endUnknown'; readonly newKey: StoredApiKey; readonly error: unknown }
  | { readonly outcome: 'unusable' };

/**
 * Issues a key with the store, mode, limits, locale and label of the old one, and ends the old one after the overlap.
 * It writes the new key first and keeps it if the old key's end may have been written. The store therefore has a
 * working key whatever fails.
 *
 * @throws any error of the SDK before the new key is stored
 */
export const rotateKey = async (
  apiKeys: ApiKeyRepository,
  oldKeyId: string,
  { keyText, overlapMs, expiresAtMs, nowMs }: RotationRequest,
): Promise<Rotation> => {
  const old = (await apiKeys.find(oldKeyId))?.key;
  if (!old || !isUsable(old, nowMs)) return { outcome: 'unusable' };
  const { storeId, mode, limit, windowSeconds, lang, label } = old;
  const settings = { storeId, mode, limit, windowSeconds, lang, label };
  const newKey = await apiKeys.issue({ keyText, ...settings, expiresAtMs, nowMs });
  let ending: Ending;
  try {
    ending = await apiKeys.endAt(oldKeyId, nowMs + overlapMs, nowMs);
  } catch (error) {
    return { outcome: 'endUnknown', newKey, error };
  }
  if (ending.outcome === 'ending') return { outcome: 'rotated', newKey, oldEndsAtMs: ending.endsAtMs };
  // Somebody revoked the old key between the two writes.
  await apiKeys.revoke(newKey.keyId, nowMs);
  return { outcome: 'unusable' };
};
