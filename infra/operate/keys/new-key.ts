import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { withIsoTimes } from '../output.ts';

/** The JSON fields of a key that its use does not change. */
export const keyJson = (key: StoredApiKey) => {
  const { keyId, storeId, label, mode, limit, windowSeconds, lang, createdAtMs, expiresAtMs } = key;
  return withIsoTimes({
    keyId,
    storeId,
    label,
    mode,
    limit,
    windowSeconds,
    lang,
    createdAtMs,
    expiresAtMs,
  });
};

/**
 * The result of a command that makes a key. Its secret is stored nowhere, and cannot be printed again.
 *
 * @param lastLines further lines for a person, also if the key cannot be shown
 */
export const newKeyResult = (
  secret: string,
  key: StoredApiKey,
  headline: string,
  lastLines: readonly string[] = [],
) => ({
  json: { apiKey: secret, ...keyJson(key) },
  lines: [
    headline,
    `API key  ${secret}`,
    `Key id   ${key.keyId}`,
    'Keep the API key now: it is stored nowhere and never shown again. The key id is no secret.',
    ...lastLines,
  ],
  ifLost: [`The key ${key.keyId} was issued but could not be shown: revoke it.`, ...lastLines].join(' '),
});
