import type { Ending } from './api-key-changes.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import { isUsable, type StoredApiKey } from './stored-api-key.ts';

/** A request to replace a key by a new one. */
export interface RotationRequest {
  /** The new key's text, with the mode of the old key. */
  readonly secret: string;
  /** How long both keys work, in milliseconds. */
  readonly overlapMs: number;
  /** The new key's end, if any. */
  readonly expiresAtMs?: number | undefined;
  readonly nowMs: number;
}

/**
 * The result of a rotation. `rotated`: the new key works and the old one ends. `endUnknown`: the new key works;
 * `error` is why the old key's end is unconfirmed. `unusable`: the old key is unknown or has ended, and there is no
 * new key.
 */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly newKey: StoredApiKey; readonly oldEndsAtMs: number }
  | { readonly outcome: 'endUnknown'; readonly newKey: StoredApiKey; readonly error: unknown }
  | { readonly outcome: 'unusable' };

/**
 * Issues a key with the settings of the old one (store, mode, limits, locale, label) and ends the old one after the
 * overlap. The new key is written first, and it stays if the old key's end may have been written. Whatever fails, the
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
  const settings = { storeId, mode, limit, windowSeconds, lang, label };
  const newKey = await apiKeys.issue({ secret, ...settings, expiresAtMs, nowMs });
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
