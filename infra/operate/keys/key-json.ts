import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { isoTime, optionalIsoTime } from '../output.ts';

/** The JSON fields of a key that do not change with its use. */
export const keyJson = ({ createdAtMs, expiresAtMs, ...key }: StoredApiKey) => ({
  keyId: key.keyId,
  storeId: key.storeId,
  label: key.label,
  mode: key.mode,
  limit: key.limit,
  windowSeconds: key.windowSeconds,
  lang: key.lang,
  createdAt: isoTime(createdAtMs),
  expiresAt: optionalIsoTime(expiresAtMs),
});
