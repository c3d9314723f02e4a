import type { Ending } from './api-key-changes.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { isUsable, type StoredApiKey } from './stored-api-key.ts';

/** A key that takes the place of another. */
export interface RotationRequest {
  /** The new key's text, of the old one's mode. */
  readonly secret: string;
  /** How long both keys work, in milliseconds. */
  readonly overlapMs: number;
  /** The new key's end, if it is to have one. */
  readonly expiresAtMs?: number | undefined;
  readonly nowMs: number;
}

/**
 * The new key and the old one's end; `unusable` if the old one is unknown or has ended, and no new one is left. With
 * `endUnknown` the new key works, and the error is why nobody knows whether the old one ends.
 */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly newKey: StoredApiKey; readonly oldEndsAtMs: number }
  | { readonly outcome: 'endUnknown'; readonly newKey: StoredApiKey; readonly error: unknown }
  | { readonly outcome: 'unusable' };

/**
 * Issues a key with all that the old one was given (store, mode, limits, locale, label), and ends the old one after
 * the overlap. The new one comes first, and stays if the old one's end may have been written: whatever fails, the
 * store has a key that works.
 *
 * @throws whatever the SDK throws before the new key is stored
 */
export const rotateKey = async (
  apiKeys: ApiKeyStore,
  oldKeyId: string,
  { secret, overlapMs, expiresAtMs, nowMs }: RotationRequest,
): Promise<Rotation> => {
  const old = (await apiKeys.find(oldKeyId))?.key;
  if (!old || !isUsable(old, nowMs)) return { outcome: 'unusable' };
  const { storeId, mode, limit, windowSeconds, lang, label } = old;
  const given = { storeId, mode, limit, windowSeconds, lang, label };
  const newKey = await apiKeys.issue({ secret, ...given, expiresAtMs, nowMs });
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
