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

/** The new key and the old one's end; `unusable` if the old one has ended, `lost` if the new one's own answer was. */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly newKey: StoredApiKey; readonly oldEndsAtMs: number }
  | { readonly outcome: 'unusable' }
  | { readonly outcome: 'lost' };

/**
 * Issues a key with all that the old one was given (store, mode, limits, locale, label), and ends the old one after
 * the overlap. The new one comes first: whatever fails between the two writes, the old one still works.
 *
 * @param old the old key as it was read
 */
export const rotateKey = async (
  apiKeys: ApiKeyStore,
  old: StoredApiKey,
  { secret, overlapMs, expiresAtMs, nowMs }: RotationRequest,
): Promise<Rotation> => {
  const { keyId, storeId, mode, limit, windowSeconds, lang, label } = old;
  if (!isUsable(old, nowMs)) return { outcome: 'unusable' };
  const given = { storeId, mode, limit, windowSeconds, lang, label };
  const newKey = await apiKeys.issue({ secret, ...given, expiresAtMs, nowMs });
  if (!newKey) return { outcome: 'lost' };
  try {
    const ending = await apiKeys.endAt(keyId, nowMs + overlapMs, nowMs);
    if (ending.outcome === 'ending') return { outcome: 'rotated', newKey, oldEndsAtMs: ending.endsAtMs };
  } catch (error) {
    // Nobody has seen the new key's text, so it can serve nobody: it goes, if the database still answers.
    await apiKeys.revoke(newKey.keyId, nowMs).catch(() => undefined);
    throw error;
  }
  // Somebody revoked the old key between the two writes.
  await apiKeys.revoke(newKey.keyId, nowMs);
  return { outcome: 'unusable' };
};
